//! A source text and the way from a byte offset to a line.

/// Text of one file or one `eval` string, with its name and where each line starts.
#[derive(Debug, Clone)]
pub struct Source {
    /// What `__FILE__` and messages say.
    pub name: String,
    /// The text, whatever its encoding; never assumed to be valid UTF-8.
    pub bytes: Vec<u8>,
    /// Number of the first line: 1 for a file, the `lineno` argument for `eval` (may be 0 or negative).
    pub first_line: i32,
    /// Byte offset of each line's first byte; never empty.
    line_starts: Vec<u32>,
}

impl Source {
    /// A source whose first line is number 1. Texts of 4 GB and more are refused by `parse`.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Source {
        Source::with_first_line(name, bytes, 1)
    }

    /// As `new`, with lines counted from `first_line`.
    pub fn with_first_line(name: impl Into<String>, bytes: impl Into<Vec<u8>>, first_line: i32) -> Source {
        let bytes = bytes.into();
        let mut line_starts = vec![0];
        line_starts.extend(bytes.iter().enumerate().filter(|&(_, &b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        Source { name: name.into(), bytes, first_line, line_starts }
    }

    /// Line number (counted from `first_line`) of a byte offset.
    pub fn line_of(&self, offset: u32) -> i32 {
        self.first_line.saturating_add(self.line_index(offset) as i32)
    }

    /// Column of a byte offset, in bytes from 0.
    pub fn column_of(&self, offset: u32) -> u32 {
        offset - self.line_starts[self.line_index(offset)]
    }

    /// Text of the line that holds a byte offset, without its line end.
    pub fn line_text(&self, offset: u32) -> &[u8] {
        let index = self.line_index(offset);
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize);
        let line = &self.bytes[start..end];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }
}
