/** One second of silence, Ogg with Opus: the audio of every text. */
export const clip: Buffer = Buffer.from(
  [
    "T2dnUwACAAAAAAAAAAABAAAAAAAAAByf9dkBE09wdXNIZWFkAQE4AYC7AAAAAABPZ2dTAAAAAAAAAAAAAAEAAAABAAAAKNIhkwEY",
    "T3B1c1RhZ3MIAAAAY2FydGVpcm8AAAAAT2dnUwAEuLwAAAAAAAABAAAAAgAAAFpjohIyAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD",
    "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwP4//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74",
    "//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74",
    "//74//74//74//74//74//74//74//74//4="
  ].join(""),
  "base64"
)
