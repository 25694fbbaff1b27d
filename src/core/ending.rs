//! The end of a program: handlers, other threads, buffers, then the process's status or signal.

use super::kernel_raise;
use crate::object::sym;
use crate::sys::process as sys;
use crate::value::{Ruby, Value};
use crate::vm::Vm;

/// Ends the process after the main code gave `result`: the EXIT trap, `at_exit` blocks and the report of what was not
/// rescued, other threads, buffered output. An uncaught SignalException becomes that signal.
pub fn end_program(vm: Vm, result: Ruby) -> ! {
    let place = vm.save_place();
    let mut result = result;
    if result.is_err() {
        // The trap's code must not see the unwind.
        let e = vm.take_exception();
        vm.restore_place(place);
        if vm.run_exit_trap().is_ok() {
            result = match e {
                Some(e) => Err(vm.raise_as_is(e)),
                None => Ok(crate::value::NIL),
            };
        }
    } else if let Err(r) = vm.run_exit_trap() {
        result = Err(r);
    }
    let mut status = kernel_raise::terminate(vm, result);
    vm.restore_place(place);
    vm.end_threads();
    if let Some(e) = vm.flush_all()
        && let Some(n) = signal_of(vm, e)
        && status == 0
    {
        status = -n;
    }
    if status < 0 && status > -65 {
        sys::die_of(-status);
        std::process::exit(128 - status);
    }
    std::process::exit(status)
}

/// The signal that an uncaught exception ends the process by: SignalException's, or the one a broken STDOUT stands
/// for.
pub fn signal_of(vm: Vm, e: Value) -> Option<i32> {
    let class = vm.class_of(e);
    let may = class.is_a(vm.classes.signal_exception.get()) || class.is_a(vm.classes.system_call_error.get());
    if !may {
        return None;
    }
    let n = vm.ivar_get(e, sym::I_SIGNO).and_then(Value::as_fixnum)?;
    (1..65).contains(&n).then_some(n as i32)
}
