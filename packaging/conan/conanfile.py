# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Haechi's recipe for Conan 2: the library and, as an option, the haechi command. packaging/recipes.py fills in where a release is."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir

required_conan_version = ">=2.0"


class HaechiConan(ConanFile):
    name = "haechi"
    version = "@VERSION@"
    description = "LEA, HIGHT and ARIA, the Korean standard block ciphers, with their modes of operation"
    license = ("Apache-2.0", "MIT")
    homepage = url = "@URL@"
    topics = ("lea", "hight", "aria", "block-cipher", "cryptography")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "command": [True, False]}
    default_options = {"shared": False, "fPIC": True, "command": False}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["HAECHI_LIBRARIES"] = "shared" if self.options.shared else "static"
        toolchain.cache_variables["HAECHI_COMMAND"] = bool(self.options.command)
        toolchain.cache_variables["HAECHI_OPENSSL"] = "OFF"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE-*", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        if not self.options.command:
            rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.libs = ["haechi"]
        self.cpp_info.set_property("cmake_target_name", "haechi::haechi")
