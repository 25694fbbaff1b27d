//! The cold halves of the interpreter's arms, by theme.

mod call;
mod collect;
mod define;
mod leave;
mod number;
mod pattern;
mod vars;

pub use call::*;
pub use collect::*;
pub use define::*;
pub use leave::*;
pub use number::*;
pub use pattern::*;
pub use vars::*;
