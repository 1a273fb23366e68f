# SPDX-License-Identifier: Apache-2.0 OR MIT
vcpkg_download_distfile(archive
    URLS "@ARCHIVE@"
    FILENAME "haechi-${VERSION}.tar.gz"
    SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
set(kind ${VCPKG_LIBRARY_LINKAGE})
if(kind STREQUAL "dynamic")
    set(kind shared)
endif()
vcpkg_cmake_configure(
    SOURCE_PATH "${source}"
    OPTIONS -DHAECHI_LIBRARIES=${kind} -DHAECHI_COMMAND=OFF -DHAECHI_OPENSSL=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/haechi)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE-APACHE" "${source}/LICENSE-MIT")
