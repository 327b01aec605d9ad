// SPDX-License-Identifier: GPL-3.0-or-later
//! Benchmarks in Rust. They show how to do without bench.h in a language whose functions can have
//! the calling convention of C. bench.h(3) describes the data structures byte by byte.
//!
//!     rustc --crate-type=cdylib -C panic=abort -O arithmetic.rs -o arithmetic.so
//!     bench-run -f ./arithmetic.so

use std::arch::asm;
use std::ffi::c_void;
use std::os::raw::c_char;

/// The functions of the program that measures: `struct bench_ops` of bench.h.
#[repr(C)]
pub struct Ops {
    next: extern "C" fn(*mut Bench) -> u64,
    pause: extern "C" fn(*mut Bench),
    resume: extern "C" fn(*mut Bench),
    text: extern "C" fn(*mut Bench, *const c_char) -> *const c_char,
    number: extern "C" fn(*mut Bench, *const c_char) -> f64,
    fail: extern "C" fn(*mut Bench, *const c_char),
    skip: extern "C" fn(*mut Bench, *const c_char),
}

/// One worker of a running benchmark: `struct bench` of bench.h.
#[repr(C)]
pub struct Bench {
    abi: u32,
    worker: u32,
    workers: u32,
    reserved: u32,
    items: f64,
    bytes: f64,
    data: *mut c_void,
    ops: *const Ops,
}

/// Makes the compiler compute a value as if it were used, as BENCH_KEEP does.
fn keep<T>(value: &T) {
    unsafe { asm!("/* {0} */", in(reg) value, options(nostack, preserves_flags)) }
}

/// Writes a note about a benchmark to the section .benchutils: six fields and a zero byte.
macro_rules! note {
    ($name:ident, $sort:literal, $symbol:literal, $metadata:literal) => {
        #[used]
        #[no_mangle] // exported, so that the linker does not drop it
        #[link_section = ".benchutils"]
        pub static $name: [u8; note!(@text $sort, $symbol, $metadata).len()] = {
            let text = note!(@text $sort, $symbol, $metadata).as_bytes();
            let mut bytes = [0; note!(@text $sort, $symbol, $metadata).len()];
            let mut i = 0;
            while i < text.len() {
                bytes[i] = text[i];
                i += 1;
            }
            bytes
        };
    };
    (@text $sort:literal, $symbol:literal, $metadata:literal) => {
        concat!("bench1\t", $sort, "\t", $symbol, "\t", file!(), "\t", line!(), "\t", $metadata, "\0")
    };
}

/// Returns the greatest common divisor.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

note!(NOTE_GCD, "call", "benchmark_gcd", "category=arithmetic");

/// Measures `gcd`; each call is an iteration.
#[no_mangle]
pub extern "C" fn benchmark_gcd() {
    // Two consecutive Fibonacci numbers take the most steps.
    let pair: [u64; 2] = [12586269025, 7778742049];
    keep(&pair);
    keep(&gcd(pair[0], pair[1]));
}

note!(NOTE_COLLATZ, "loop", "benchmark_collatz", "category=arithmetic param.n=27,97,871");

/// Measures the Collatz sequence of n in a loop of its own. `next` returns the number of
/// iterations to run, or 0 to end the loop.
///
/// # Safety
/// `b` must point to a `struct bench` of bench.h, as the program that measures ensures.
#[no_mangle]
pub unsafe extern "C" fn benchmark_collatz(b: *mut Bench) {
    let ops = &*(*b).ops;
    let n = (ops.number)(b, b"n\0".as_ptr() as *const c_char) as u64;

    let mut left = (ops.next)(b);
    while left != 0 {
        while left != 0 {
            let mut x = n;
            keep(&x);
            let mut steps = 0u64;
            while x != 1 {
                x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
                steps += 1;
            }
            keep(&steps);
            left -= 1;
        }
        left = (ops.next)(b);
    }
}
