# fish completion for haechi
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# The texts are those of haechi --help; a test compares them.

set -l commands enc dec keygen raw rand speed self-test ciphers
set -l ciphers lea aria {lea,aria}-{128,192,256} hight
set -l modes {lea,aria}{,-128,-192,-256}-{ecb,cbc,ctr,ofb,cfb,cfb64,cfb8,cfb1,xts,cmac,gcm,ccm,eax} hight-{ecb,cbc,ctr,ofb,cfb,cfb8,cfb1,cmac,eax}

complete -c haechi -n "not __fish_seen_subcommand_from $commands" -f
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -s h -l help -d 'List the commands.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -s V -l version -d 'Print the version.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a enc -d 'Encrypt and authenticate a file or a pipe.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a dec -d 'Decrypt what haechi enc wrote, and refuse it if it was changed.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a keygen -d 'Write a new random key into a new file.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a raw -d 'Apply one mode of one cipher to bytes, as other libraries do.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a rand -d 'Write N random bytes.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a speed -d 'Measure every kernel that this machine can run.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a self-test -d 'Check known answers of every kernel, of all modes and of the random generators.'
complete -c haechi -n "not __fish_seen_subcommand_from $commands" -a ciphers -d 'List the ciphers and their modes.'

complete -c haechi -n '__fish_seen_subcommand_from enc dec raw' -s k -l key -r -F -d 'Read the key from FILE, as haechi keygen writes it; - is standard input.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec raw' -l key-fd -x -d 'Read the key from the open file descriptor N.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec raw' -l raw-key -d 'The key is stored as bytes, not as hexadecimal digits.'
complete -c haechi -n '__fish_seen_subcommand_from enc' -s p -l passphrase -d 'Ask for a passphrase on the terminal; the file then needs no key.'
complete -c haechi -n '__fish_seen_subcommand_from enc' -l memory -x -d 'Make each guess of the passphrase take MIB mebibytes; the default is 64.'
complete -c haechi -n '__fish_seen_subcommand_from enc' -s c -l cipher -x -a "$ciphers" -d 'Use a cipher that haechi ciphers lists; the default is lea.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec raw rand' -s o -l output -r -F -d 'Write to the file OUT, not to standard output.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec raw rand' -s f -l force -d 'Replace OUT if it exists.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec' -s t -l threads -x -d 'Use N threads; the default is one for each processor, at most 8.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec raw' -s q -l quiet -d 'Show no progress and give no advice.'
complete -c haechi -n '__fish_seen_subcommand_from enc dec keygen raw rand speed self-test ciphers' -s h -l help -d 'Print this text.'
complete -c haechi -n '__fish_seen_subcommand_from dec' -s p -l passphrase -d 'Ask for the passphrase on the terminal, as is done without this option.'
complete -c haechi -n '__fish_seen_subcommand_from dec' -l max-memory -x -d 'Allow a passphrase to take MIB mebibytes of memory; the default is 1024.'
complete -c haechi -n '__fish_seen_subcommand_from keygen' -s b -l bits -x -a '128 192 256' -d 'Make a key of 128, 192 or 256 bits; the default is 256.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s d -l decrypt -d 'Decrypt; the default is to encrypt.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s K -l key-hex -x -d 'Use the key HEX; other users may see it for a moment.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s i -l iv -x -d 'Use HEX as the IV, first counter block, nonce or XTS sector number.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s I -l iv-file -r -F -d 'Read the IV from FILE, as bytes.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s a -l aad -x -d 'Authenticate HEX as additional data, with GCM, CCM and EAX.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s A -l aad-file -r -F -d 'Read the additional data from FILE, as bytes.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s t -l tag -x -d 'Make or expect a tag of N bytes; the default is one block.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s s -l sector -x -d 'Divide the input of XTS into sectors of N bytes.'
complete -c haechi -n '__fish_seen_subcommand_from raw' -s p -l pad -d 'Fill the last block of ECB and CBC by PKCS #7 padding.'
complete -c haechi -n '__fish_seen_subcommand_from raw rand' -s x -l hex -d 'Write hexadecimal digits, not bytes.'
complete -c haechi -n '__fish_seen_subcommand_from speed' -s t -l time -x -d 'Measure each kernel for MS milliseconds; the default is 200.'

complete -c haechi -n '__fish_seen_subcommand_from rand self-test ciphers' -f
complete -c haechi -n '__fish_seen_subcommand_from speed' -f -a "$ciphers"
complete -c haechi -n '__fish_seen_subcommand_from raw; and not __fish_seen_subcommand_from '"$modes" -a "$modes"
