// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compiles the C library: all files under library/src, because each of them knows whether it is wanted.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of C and of assembly below a folder, in an order that does not depend on the file system.
fn sources(folder: &Path) -> Vec<PathBuf> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = listed.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = |path: &Path| matches!(path.extension().and_then(OsStr::to_str), Some("c" | "S"));
    paths
        .iter()
        .flat_map(|path| if path.is_dir() { sources(path) } else { vec![path.clone()] })
        .filter(|path| wanted(path))
        .collect()
}

/// Whether `HAECHI_MICRO` is 1: the compiler for the target says it, because the header asks nobody else.
fn is_micro(build: &cc::Build) -> bool {
    let question = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("micro.c");
    fs::write(&question, "#include \"haechi.h\"\nis_micro HAECHI_MICRO\n").unwrap();
    let answer = String::from_utf8(build.clone().file(question).expand()).unwrap();
    match answer.rsplit_once("is_micro").map(|(_, value)| value.trim()) {
        Some("0") => false,
        Some("1") => true,
        other => panic!("the C compiler says {other:?} for HAECHI_MICRO"),
    }
}

fn main() {
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let bare = env::var("CARGO_CFG_TARGET_OS").unwrap() == "none";

    let mut build = cc::Build::new();
    // The flags with which CMake compiles a release. Without optimisation, which cargo would choose for its profile dev, the
    // ciphers are far slower, and the promise of haechi.h about the stack does not hold.
    build.std("c99").opt_level(if bare { 2 } else { 3 }).define("NDEBUG", None).include("library/src").warnings(false);
    for flag in ["-ffunction-sections", "-fdata-sections", "-fvisibility=hidden"] {
        build.flag(flag);
    }
    if bare {
        build.flag("-ffreestanding");
    } else {
        for flag in ["-fcf-protection=full", "-mbranch-protection=standard", "-fstack-protector-strong"] {
            build.flag_if_supported(flag);
        }
    }
    if is_micro(&build) {
        println!("cargo:rustc-cfg=haechi_micro");
    }
    build.files(sources(Path::new("library/src")));
    if has("STD") && env::var_os("CARGO_CFG_UNIX").is_some() {
        build.files(sources(Path::new("library/host")));
    }
    if has("OPENMP") {
        build.flag("-fopenmp");
    }
    build.compile("haechi");
    if has("OPENMP") {
        println!("cargo:rustc-link-lib={}", if build.get_compiler().is_like_clang() { "omp" } else { "gomp" });
    }
}
