# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Boards with an STM32F103 (Cortex-M3) and a GD32VF103 (RISC-V) by Unicorn, with the devices that a node uses.

A device is what its reference manual (RM0008) says as far as a node uses it. Flash that is locked or not erased takes no data:
that is a fault."""

import unicorn
from unicorn import arm_const, riscv_const

FLASH, FLASH_SIZE, RAM, RAM_SIZE = 0x08000000, 64 << 10, 0x20000000, 20 << 10
PAGES, PAGE = 0x0800F400, 1024
USART_SR, USART_DR = 0x40013800, 0x40013804
ADC_SR, ADC_SQR3, ADC_DR = 0x40012400, 0x40012434, 0x4001244C
FLASH_KEYR, FLASH_SR, FLASH_CR, FLASH_AR = 0x40022004, 0x4002200C, 0x40022010, 0x40022014
RXNE, TC, TXE, EOC = 1 << 5, 1 << 6, 1 << 7, 1 << 1
PG, PER, STRT, LOCK = 1, 2, 1 << 6, 1 << 7
KEYS = [0x45670123, 0xCDEF89AB]


class F103:
    """One board. `tell` is called with ("byte", value) and ("write", place) as board.py describes."""

    lasting_size = 3 * PAGE

    def __init__(self, image, tell, riscv: bool):
        self._tell, self._riscv = tell, riscv
        if riscv:
            self._uc = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
            self._pc, self._lr = riscv_const.UC_RISCV_REG_PC, riscv_const.UC_RISCV_REG_RA
        else:
            self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
            self._uc.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M3)
            self._pc, self._lr = arm_const.UC_ARM_REG_PC, arm_const.UC_ARM_REG_LR
        self._uc.mem_map(FLASH, FLASH_SIZE)
        self._uc.mem_map(RAM, RAM_SIZE)
        self._uc.mmio_map(0x40000000, 0x30000, self._load, None, self._store, None)
        for at, _, data in image.segments:
            self._uc.mem_write(at, data)
        self._start = image.address("_reset" if riscv else "_start")
        self._uc.hook_add(unicorn.UC_HOOK_MEM_WRITE, self._write_flash, begin=FLASH, end=FLASH + FLASH_SIZE - 1)
        self._millivolts, self._supply = {17: 1200}, 3000  # 17: the reference

    def power(self, lasting: bytes, noise: bytes) -> None:
        self._uc.mem_write(PAGES, lasting)
        self._uc.mem_write(RAM, noise[:RAM_SIZE])
        self._at = self._start
        self._registers = {FLASH_CR: LOCK}
        self._keys, self._input, self._fault = [], bytearray(), ""
        if not self._riscv:
            self._uc.reg_write(arm_const.UC_ARM_REG_SP, RAM + RAM_SIZE)

    def lasting(self) -> bytes:
        return bytes(self._uc.mem_read(PAGES, self.lasting_size))

    def receive(self, data: bytes) -> None:
        self._input += data

    def measure(self, sensor: int, supply: int) -> None:
        self._millivolts[0], self._supply = sensor, supply

    def run(self, stops: tuple[int, int]) -> str:
        """Runs to one of two addresses. Returns "" there, or else what is wrong."""
        until, other = stops
        found = []
        hook = self._uc.hook_add(unicorn.UC_HOOK_CODE, lambda uc, *_: (found.append(1), uc.emu_stop()), begin=other, end=other)
        try:
            self._uc.emu_start(self._at | (not self._riscv), until)
        except unicorn.UcError as error:
            return self._fault or str(error)
        finally:
            self._uc.hook_del(hook)
        self._at = other if found else self._uc.reg_read(self._pc) & ~1
        return self._fault or ("" if self._at in stops else f"stopped at {self._at:#x}")

    def at(self) -> int:
        return self._at

    def leave(self) -> None:
        """Returns from the function at whose first instruction the program is."""
        self._at = self._uc.reg_read(self._lr) & ~1

    def _load(self, _uc, offset: int, _size: int, _data) -> int:
        address = 0x40000000 + offset
        if address == USART_SR:
            return TXE | TC | (RXNE if self._input else 0)
        if address == USART_DR:
            return self._input.pop(0)
        if address == ADC_SR:
            return EOC
        if address == ADC_DR:
            return self._millivolts.get(self._registers.get(ADC_SQR3, 0), 0) * 4096 // self._supply
        return 0 if address == FLASH_SR else self._registers.get(address, 0)

    def _store(self, uc, offset: int, _size: int, value: int, _data) -> None:
        address = 0x40000000 + offset
        if address == USART_DR:
            self._tell("byte", value & 0xFF)
        elif address == FLASH_KEYR:
            self._keys = [*self._keys, value][-2:]
            if self._keys == KEYS:
                self._registers[FLASH_CR] &= ~LOCK
        elif address == FLASH_CR and self._registers[FLASH_CR] & LOCK:
            self._fail("the flash is locked")
        else:
            self._registers[address] = value
            if address == FLASH_CR and value & PER and value & STRT:
                at = (self._registers[FLASH_AR] - PAGES) // PAGE * PAGE
                if not 0 <= at < self.lasting_size:
                    return self._fail("erases its program")
                uc.mem_write(PAGES + at, b"\xff" * PAGE)
                self._tell("write", at)

    def _write_flash(self, uc, _access, address: int, size: int, value: int, _data) -> None:
        at = address - PAGES
        if not (self._registers[FLASH_CR] & PG and size == 2 and 0 <= at < self.lasting_size):
            return self._fail("writes to flash")
        if uc.mem_read(address, 2) != b"\xff\xff":
            return self._fail("programs a place that is not erased")
        uc.mem_write(address, (value & 0xFFFF).to_bytes(2, "little"))
        self._tell("write", at)

    def _fail(self, why: str) -> None:
        self._fault = why
        self._uc.emu_stop()
