/* stack_note.h - the note that a file of assembly needs no executable stack; every .S file ends with it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * On Unix, an object without this note asks for an executable stack.  Bare-metal compilers write no such note, and
 * their linkers warn when some objects have it and others do not. */
#if defined(__ELF__) && defined(__unix__)
    .section .note.GNU-stack, "", %progbits
#endif
