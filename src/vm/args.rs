//! Laying out arguments as a code object's parameters want them.
use super::Vm;
use super::call::{ArgRules, Window};
use crate::bytecode::iseq::{Iseq, Params};
use crate::bytecode::op::Ins;
use crate::value::Ruby;

impl Params {
    /// Registers that parameters occupy.
    #[inline(always)]
    pub fn proto_len(&self) -> usize {
        (self.positional() as usize)
            + self.rest as usize
            + self.keywords.len()
            + self.kwrest as usize
            + self.block as usize
    }
}

impl Vm {
    pub fn set_up_args(
        self,
        _code: &Iseq,
        _w: &mut Window,
        _rules: ArgRules,
        _show: impl FnOnce(&Window),
    ) -> Ruby<*const Ins> {
        todo!()
    }
}
