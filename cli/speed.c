#include "command.h"
int command_speed(int argc, char **argv) { (void)argc, (void)argv; return 0; }
