#!/usr/bin/env bash
# file-type judges the sample of a stream, 4,100 bytes, as if it were the whole file. An ID3 tag that reaches beyond the
# sample (one with a cover does) makes it answer audio/mpeg whatever sound follows, so that correct AAC is reported as MP3
# by fileTypeStream and for the leading bytes, while the whole buffer is recognised as audio/aac.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund file-type@22.3.0 2>/dev/null
cat > run.mjs <<'JS'
import { Readable } from "node:stream"
import { fileTypeFromBuffer, fileTypeStream } from "file-type"

/** One ADTS frame of AAC-LC, 44.1 kHz, stereo, with an empty payload. */
const frame = () => {
  const bytes = Buffer.alloc(207)
  bytes.set([0xff, 0xf1, 0x50, 0x80 | (bytes.length >> 11), (bytes.length >> 3) & 0xff, ((bytes.length & 7) << 5) | 0x1f, 0xfc])
  return bytes
}
/** An ID3v2.4 tag of that many bytes of padding, its length in four bytes of seven bits. */
const tag = (length) => {
  const bytes = Buffer.alloc(10 + length)
  bytes.set([0x49, 0x44, 0x33, 4, 0, 0, length >> 21, (length >> 14) & 127, (length >> 7) & 127, length & 127])
  return bytes
}
const seen = []
for (const length of [100, 20_000]) {
  const file = Buffer.concat([tag(length), ...Array.from({ length: 50 }, frame)])
  const whole = await fileTypeFromBuffer(file)
  const head = await fileTypeFromBuffer(file.subarray(0, 4100))
  const stream = await fileTypeStream(Readable.toWeb(Readable.from([file])))
  seen.push([whole, head, stream.fileType].map((one) => one?.mime).join(" "))
  console.log(`file-type 22.3.0, AAC behind a tag of ${length} bytes: whole buffer, first 4,100 bytes, stream: ${seen.at(-1)}`)
}
process.exit(seen[0] === "audio/aac audio/aac audio/aac" && seen[1] === "audio/aac audio/mpeg audio/mpeg" ? 0 : 1)
JS
node run.mjs
