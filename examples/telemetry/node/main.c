/* main.c - the program of a node.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "board.h"
#include "node.h"

static struct node node;

int main(void)
{
    board_start();
    if (node_start(&node)) board_stop();
    for (;;) {
        if (node_send(&node)) board_stop();
        node_listen(&node);
        board_sleep(node.state.interval);
    }
}
