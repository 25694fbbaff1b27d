//! Core methods written in Ruby (`src/prelude/*.rb`), compiled at boot.

use crate::vm::Vm;

/// File name and source, in load order.
pub const FILES: &[(&str, &str)] = &[];

pub fn boot(_vm: Vm) {}
