//! `Math`.

use crate::class;
use crate::object::Class;
use crate::value::Raised;
use crate::vm::Vm;

class! { module "Math"; }

pub fn boot(vm: Vm) {
    let c = vm.define_table(&CLASS);
    vm.classes.math.set(c);
}

/// `Math::DomainError`.
pub fn domain_class(vm: Vm) -> Class {
    vm.const_path("Math::DomainError").unwrap_or_else(|| vm.classes.argument_error.get())
}
/// `Numerical argument is out of domain - "name"`.
pub fn domain_error(vm: Vm, name: &str) -> Raised {
    vm.raise(domain_class(vm), &format!("Numerical argument is out of domain - \"{name}\""))
}
