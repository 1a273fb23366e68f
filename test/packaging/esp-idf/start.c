/* start.c - calls the program's app_main, as the start-up code of ESP-IDF does.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
void app_main(void);

int main(void)
{
    app_main();
    return 0;
}
