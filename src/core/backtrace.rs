//! `Thread::Backtrace::Location`: one line of a backtrace as an object.

use crate::class;
use crate::object::{Data, RData};
use crate::value::{NIL, Ruby, Value};
use crate::vm::raise::Place;
use crate::vm::{Args, Vm};

class! { "Thread::Backtrace::Location" < "Object";
    ["path"] req(0) => path;
    ["absolute_path"] req(0) => absolute_path;
    ["lineno"] req(0) => lineno;
    ["label"] req(0) => label;
    ["base_label"] req(0) => base_label;
    ["to_s"] req(0) => to_s;
    ["inspect"] req(0) => inspect;
}

mod thread {
    crate::class! { "Thread" < "Object";
        self ["each_caller_location"] opt(0, 2) => super::each_caller_location;
    }
}

struct Location(Place);
impl Data for Location {}

pub fn boot(vm: Vm) {
    let object = Some(vm.classes.object.get());
    vm.define_class("Thread", object);
    vm.define_class("Thread::Backtrace", object);
    vm.define_table(&CLASS);
    vm.define_table(&thread::CLASS);
}

/// `Thread.each_caller_location { |location| }`.
fn each_caller_location(vm: Vm, _this: Value, args: Args) -> Ruby {
    let Some(block) = args.block() else {
        return Err(vm.raise(vm.classes.local_jump_error.get(), "no block given"));
    };
    let (from, count) = match super::kernel::frame_range(vm, args, vm.places(1).len())? {
        Some(r) => r,
        None => return Ok(NIL),
    };
    for p in vm.places(1).into_iter().skip(from).take(count) {
        vm.yield1(block, location(vm, p))?;
    }
    Ok(NIL)
}

/// A Location object for a place.
pub fn location(vm: Vm, p: Place) -> Value {
    RData::alloc(&vm, vm.classes.backtrace_location.get(), Location(p))
}
/// Is it a Location?
pub fn is_location(v: Value) -> bool {
    v.data::<Location>().is_some()
}
/// The place a Location stands for.
pub fn place_of(v: Value) -> Option<&'static Place> {
    v.data::<Location>().map(|l| &l.0)
}
/// A backtrace line taken apart: "file:line:in 'label'".
pub fn parse(line: &str) -> Place {
    let (place, label) = match line.split_once(":in ") {
        Some((p, l)) => (p, l.trim_matches('\'')),
        None => (line, ""),
    };
    let (file, number) = place.rsplit_once(':').unwrap_or((place, "0"));
    Place { file: file.into(), line: number.parse().unwrap_or(0), label: label.into() }
}

/// A path made absolute against the working directory, `.` and `..` folded.
pub fn absolute(path: &str) -> String {
    let full = match std::env::current_dir() {
        Ok(dir) if !path.starts_with('/') => dir.join(path),
        _ => path.into(),
    };
    let mut parts: Vec<String> = Vec::new();
    for c in full.components() {
        match c {
            std::path::Component::Normal(s) => parts.push(s.to_string_lossy().into_owned()),
            std::path::Component::ParentDir => {
                parts.pop();
            }
            _ => {}
        }
    }
    format!("/{}", parts.join("/"))
}

fn place(vm: Vm, this: Value) -> Ruby<&'static Place> {
    place_of(this).ok_or_else(|| vm.type_error("uninitialized Location"))
}

fn path(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(&place(vm, this)?.file))
}
fn absolute_path(vm: Vm, this: Value, _args: Args) -> Ruby {
    let file = &place(vm, this)?.file;
    if &**file == "-e" || file.starts_with('(') {
        return Ok(NIL);
    }
    Ok(vm.str(&absolute(file)))
}
fn lineno(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(Value::fixnum(place(vm, this)?.line as i64))
}
fn label(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(&place(vm, this)?.label))
}
/// The method's bare name: neither "block in" nor the class.
fn base_label(vm: Vm, this: Value, _args: Args) -> Ruby {
    let label = &place(vm, this)?.label;
    let own = label.rsplit(" in ").next().unwrap_or(label);
    let own = if own.starts_with('<') {
        own
    } else {
        match own.rfind(['#', '.']) {
            Some(i) if i + 1 < own.len() => &own[i + 1..],
            _ => own,
        }
    };
    Ok(vm.str(own))
}
fn to_s(vm: Vm, this: Value, _args: Args) -> Ruby {
    Ok(vm.str(&place(vm, this)?.to_string()))
}
fn inspect(vm: Vm, this: Value, _args: Args) -> Ruby {
    vm.send(vm.str(&place(vm, this)?.to_string()), crate::object::sym::INSPECT, &[])
}
