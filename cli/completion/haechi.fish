# fish completion for haechi
# SPDX-License-Identifier: Apache-2.0 OR MIT

set -l commands enc dec keygen raw rand speed self-test ciphers
set -l ciphers lea aria {lea,aria}-{128,192,256} hight
set -l modes {lea,aria}{,-128,-192,-256}-{ecb,cbc,ctr,ofb,cfb,cfb64,cfb8,cfb1,xts,cmac,gcm,ccm,eax} hight-{ecb,cbc,ctr,ofb,cfb,cfb8,cfb1,cmac,eax}
set -l file 'not __fish_seen_subcommand_from keygen speed self-test ciphers; and __fish_seen_subcommand_from'

complete -c haechi -n "not __fish_seen_subcommand_from $commands" -f
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -l help -d 'what there is'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -l version -d 'its version'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a enc -d 'encrypt and authenticate'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a dec -d 'the way back'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a keygen -d 'make a key'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a raw -d 'one mode of one cipher'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a rand -d 'random bytes'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a speed -d 'every kernel of this machine'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a self-test -d 'known answers'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a ciphers -d 'ciphers and modes'

complete -c haechi -n "$file enc dec raw" -s k -l key -r -F -d 'the key'
complete -c haechi -n "$file enc dec raw" -l key-fd -x -d 'the key, from a descriptor'
complete -c haechi -n "$file enc dec raw rand" -s o -l output -r -F -d 'where to'
complete -c haechi -n "$file enc dec raw rand" -s f -l force -d 'replace what is there'
complete -c haechi -n "$file enc dec raw" -s q -l quiet -d 'no progress'
complete -c haechi -n "$file enc dec" -s t -l threads -x -d threads
complete -c haechi -n '__fish_seen_subcommand_from enc' -s c -l cipher -x -a "$ciphers" -d cipher
complete -c haechi -n '__fish_seen_subcommand_from keygen' -s b -l bits -x -a '128 192 256' -d bits
complete -c haechi -n '__fish_seen_subcommand_from speed' -f -a "$ciphers"
complete -c haechi -n '__fish_seen_subcommand_from speed' -s t -l time -x -d 'milliseconds for each'
complete -c haechi -n '__fish_seen_subcommand_from rand raw' -s x -l hex -d 'write digits'
complete -c haechi -n '__fish_seen_subcommand_from raw; and not __fish_seen_subcommand_from '"$modes" -a "$modes"
complete -c haechi -n '__fish_seen_subcommand_from raw' -s d -l decrypt -d 'the way back'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s K -l key-hex -x -d 'the key'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s i -l iv -x -d 'IV or nonce'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s I -l iv-file -r -F -d 'IV or nonce'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s a -l aad -x -d 'additional data'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s A -l aad-file -r -F -d 'additional data'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s t -l tag -x -d 'bytes of the tag'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s s -l sector -x -d 'bytes of a sector'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s p -l pad -d 'PKCS 7 padding'
