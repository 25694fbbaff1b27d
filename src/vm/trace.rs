//! `set_trace_func`: events for calls, returns, class bodies and raises (no line events).
//!
//! While a function is set, call sites are not cached, so every call comes through `Vm::enter`, and frames pushed
//! there carry `RET_TRACED`.

use super::Vm;
use super::frame::{self, Frame};
use crate::object::{MethodEntry, RString, Ref};
use crate::value::{FALSE, NIL, Ruby, Value};

impl Vm {
    /// Sets or (nil) clears the trace function.
    pub fn set_tracer(self, f: Value) {
        self.tracer.set(f);
        self.cache.invalidate_all();
    }
    #[inline(always)]
    pub fn is_traced(self) -> bool {
        !self.tracer.get().is_nil() && !self.ec().in_trace.get()
    }

    /// Calls the trace function: event, file, line, method name, binding, class name.
    #[cold]
    pub fn fire(self, event: &'static str, me: Option<Ref<MethodEntry>>) -> Ruby<()> {
        let Some(f) = self.tracer.get().as_proc() else { return Ok(()) };
        let ec = self.ec();
        if ec.in_trace.replace(true) {
            return Ok(());
        }
        let place = self.save_place();
        let (file, line) = self.current_place();
        let (id, class) = match me {
            Some(m) => (Value::symbol(m.original_name), m.defined_class.value()),
            None => (NIL, FALSE),
        };
        let r = (|| {
            let binding = match self.hooks.binding.get() {
                Some(b) => b(self)?,
                None => NIL,
            };
            let event = RString::new(&self, event).value();
            self.call_proc(f, &[event, file, Value::fixnum(line as i64), id, binding, class])
        })();
        self.ec().in_trace.set(false);
        if r.is_ok() {
            self.restore_place(place);
        }
        r.map(|_| ())
    }

    /// The frame is about to be left by a return.
    pub fn trace_return(self, f: Frame) -> Ruby<()> {
        if !self.is_traced() {
            return Ok(());
        }
        if f.flags() & frame::F_CLASS != 0 { self.fire("end", None) } else { self.fire("return", f.method()) }
    }
}
