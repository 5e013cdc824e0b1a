import type { FinishedRequest } from "@carteiro/http-edge/RequestObserver.ts"
import { RedactionMemory } from "@carteiro/runtime/request-logs/log/RedactionMemory.ts"
import { RequestBuffer } from "@carteiro/runtime/request-logs/log/RequestBuffer.ts"
import { RequestRedaction } from "@carteiro/runtime/request-logs/log/RequestRedaction.ts"
import { makeSecrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"

const secrets = makeSecrets([new Uint8Array(32).fill(7)])

const kept = { days: 7, reads_per_second: 2, sample_one_of: 10, bodies: true }

const request = (environment_id: string, more: Partial<FinishedRequest> = {}): FinishedRequest => ({
  operation: "messages.send",
  method: "POST",
  route: "/v1/messages",
  keyId: "key_1",
  status: 202,
  requestId: "req_1",
  traceId: "trace",
  millis: 3,
  owner: { environment_id, api_key_id: "key_1", environment: "sandbox" },
  arrivedAt: 0,
  path: "/v1/messages",
  search: "",
  ip: "127.0.0.1",
  idempotencyKeys: [],
  isReplayed: false,
  warning: undefined,
  region: "BR",
  body: undefined,
  answer: undefined,
  ...more
})

const made = (settings = kept) => new RequestBuffer({ sandbox: settings, production: settings })

it("one environment fills only its own share, and dropped requests are counted", () => {
  const buffer = made()
  const offered = Array.from({ length: 1030 }, () => buffer.offer(request("env_busy"), 0))
  assert.deepStrictEqual([offered.indexOf("dropped"), offered.lastIndexOf("kept")], [1024, 1023])
  assert.strictEqual(buffer.offer(request("env_quiet"), 0), "kept")
  const batch = buffer.take(0)
  assert.strictEqual(batch?.requests.length, 1025)
  assert.deepStrictEqual(batch?.notKept, [{ environment_id: "env_busy", sampled: 0, dropped: 6 }])
  assert.strictEqual(buffer.offer(request("env_busy"), 0), "kept")
})

it("the node is full at its own bound, however many environments there are", () => {
  const buffer = made()
  const offered = Array.from({ length: 4097 }, (_, n) => buffer.offer(request(`env_${n % 8}`), 0))
  assert.deepStrictEqual([offered.indexOf("dropped"), offered.length], [4096, 4097])
})

it("the bytes of bodies count, and a body over 16 KB is not kept", () => {
  const buffer = made()
  const body = Buffer.alloc(16_384, "x")
  const offered = Array.from({ length: 300 }, () => buffer.offer(request("env_1", { body }), 0))
  assert.strictEqual(offered.indexOf("dropped"), Math.floor(4_194_304 / (16_384 + 512)))
  const other = made()
  other.offer(request("env_1", { body: Buffer.alloc(16_385, "x") }), 0)
  assert.strictEqual(other.take(0)?.requests[0]?.body, undefined)
})

it("reads above their rate are sampled within a second, refusals and writes never", () => {
  const buffer = made()
  const read = { method: "GET", status: 200 }
  const offered = Array.from({ length: 20 }, () => buffer.offer(request("env_1", read), 500))
  assert.strictEqual(offered.filter((one) => one === "kept").length, 4)
  // What was written meanwhile does not begin the second anew.
  buffer.take(900)
  assert.strictEqual(buffer.offer(request("env_1", read), 999), "sampled")
  assert.strictEqual(buffer.offer(request("env_1", { ...read, status: 404 }), 999), "kept")
  assert.strictEqual(buffer.offer(request("env_1"), 999), "kept")
  assert.strictEqual(buffer.offer(request("env_1", read), 1000), "kept")
})

it("a batch that was not written is counted as dropped", () => {
  const buffer = made()
  for (let n = 0; n < 3; n++) buffer.offer(request("env_1"), 0)
  const batch = buffer.take(0)
  if (batch !== undefined) buffer.lose(batch)
  assert.deepStrictEqual(buffer.take(0), {
    requests: [],
    notKept: [{ environment_id: "env_1", sampled: 0, dropped: 3 }]
  })
})

it("the response of a refused request is kept, that of a successful read is not", () => {
  const buffer = made()
  const answer = '{"error":{"code":"x"}}'
  buffer.offer(request("env_1", { method: "GET", status: 200, answer }), 0)
  buffer.offer(request("env_1", { method: "GET", status: 404, answer }), 0)
  assert.deepStrictEqual(
    buffer.take(0)?.requests.map((one) => one.answer),
    [undefined, answer]
  )
})

it("every spelling of a phone is one customer, and a request about too many customers names none", () => {
  const redaction = new RequestRedaction("BR", new RedactionMemory(secrets))
  redaction.json({ recipient: { country_calling_code: "55", national_number: "11 8432-1876" } }, true)
  redaction.json(["+55 (11) 98432-1876", 551184321876], true)
  redaction.json({ sender: { type: "social_user", id: "u1" } }, false)
  assert.deepStrictEqual(redaction.subjects, [
    { type: "phone_e164", key: "5511984321876" },
    // The national part alone may be somebody's number too.
    { type: "phone_e164", key: "1184321876" },
    { type: "social_user", key: "u1" }
  ])
  redaction.json(
    Array.from({ length: 70 }, (_, n) => `+55119843218${10 + n}`),
    true
  )
  assert.strictEqual(redaction.subjects, undefined)
})

it("hides secrets by their name, form or place", () => {
  const redaction = new RequestRedaction("BR", new RedactionMemory(secrets))
  const hidden = {
    pin: "123456",
    code: "AQB",
    access_token: "x",
    pix_qr_code_base64: "x",
    inline: { data_base64: "AAAA" },
    upload_url: "https://api.example/v1/media/blobs/abc",
    customer_tax_id: "12345678909",
    link: "https://files.example/a.pdf?signature=abc",
    text: "my key is svc_live_0123456789abcdef0123456789"
  }
  assert.deepStrictEqual(redaction.json(hidden, true), {
    pin: "[REDACTED]",
    code: "[REDACTED]",
    access_token: "[REDACTED]",
    pix_qr_code_base64: "[REDACTED]",
    inline: { data_base64: "[REDACTED]" },
    upload_url: "[REDACTED]",
    customer_tax_id: "[REDACTED]",
    link: "https://files.example/a.pdf?[REDACTED]",
    text: "my key is [REDACTED]"
  })
})
