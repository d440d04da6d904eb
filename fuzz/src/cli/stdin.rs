//! Standard input, read by a thread of its own so that Ctrl-C and an idle writer are noticed. Must never read ahead more
//! than a few chunks.

use std::{
    io::{self, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    time::Duration,
};

use wildcheck_oracle::Interrupt;

/// How long nothing must come for the writer to count as idle.
const IDLE: Duration = Duration::from_millis(20);

/// What came.
pub enum Came {
    /// Bytes.
    Chunk(Vec<u8>),
    /// Nothing, for a moment.
    Nothing,
    /// The end.
    End,
}

/// Standard input; to be made once.
pub struct Stdin {
    chunks: Receiver<io::Result<Vec<u8>>>,
}

impl Stdin {
    /// Starts reading.
    pub fn new() -> Stdin {
        let (sender, chunks) = sync_channel(4);
        std::thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            let mut buffer = vec![0; 64 << 10];
            loop {
                let chunk = match stdin.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(length) => Ok(buffer[..length].to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = chunk.is_err();
                if sender.send(chunk).is_err() || failed {
                    return;
                }
            }
        });
        Stdin { chunks }
    }

    /// What comes next, waiting no longer than [`IDLE`].
    ///
    /// # Errors
    /// That of reading.
    pub fn next(&mut self) -> io::Result<Came> {
        match self.chunks.recv_timeout(IDLE) {
            Ok(chunk) => chunk.map(Came::Chunk),
            Err(RecvTimeoutError::Timeout) => Ok(Came::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Came::End),
        }
    }

    /// As a reader that fails once the run is interrupted.
    pub fn until(self, interrupt: Interrupt) -> impl Read {
        Interruptible { stdin: self, interrupt, chunk: Vec::new(), at: 0 }
    }
}

struct Interruptible {
    stdin: Stdin,
    interrupt: Interrupt,
    chunk: Vec<u8>,
    at: usize,
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.chunk.len() {
            if self.interrupt.is_set() {
                return Err(io::Error::other("interrupted"));
            }
            match self.stdin.next()? {
                Came::Chunk(chunk) => (self.chunk, self.at) = (chunk, 0),
                Came::Nothing => {}
                Came::End => return Ok(0),
            }
        }
        let length = buffer.len().min(self.chunk.len() - self.at);
        buffer[..length].copy_from_slice(&self.chunk[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
