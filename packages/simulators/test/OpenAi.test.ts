import Ajv2020 from "ajv/dist/2020.js"
import OpenAI from "openai"
import { afterEach, assert, beforeEach, it } from "vitest"
import { clip } from "../kit/Clip.ts"
import { type OpenAiSimulator, startOpenAi } from "../openai/Simulator.ts"
import { specOf, undescribed } from "./VendorSpecs.ts"

const spec = specOf("openai-audio.json") as object | undefined

/** Returns what is wrong with a value by a schema of the description; empty when nothing is, or there is none. */
const flaws = (schema: string, value: unknown): ReadonlyArray<unknown> => {
  if (spec === undefined) return []
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false })
  ajv.addSchema(spec, "vendor")
  const check = ajv.compile({ $ref: `vendor#/components/schemas/${schema}` })
  return check(value) ? [] : (check.errors ?? [])
}

let simulator: OpenAiSimulator
/** The bodies of calls as the client sent them. */
let bodies: Array<unknown>
beforeEach(async () => {
  simulator = await startOpenAi({ apiKey: "sk-simulated", now: Date.now })
  bodies = []
})
afterEach(() => simulator.close())

const clientOf = (apiKey = "sk-simulated") =>
  new OpenAI({
    apiKey,
    baseURL: `${simulator.url}/v1`,
    maxRetries: 0,
    timeout: 2000,
    fetch: (url, init) => {
      bodies.push(init?.body)
      return fetch(url, init)
    }
  })

const order = { model: "gpt-4o-mini-tts", voice: "alloy", input: "Oi", response_format: "opus" } as const
const refusalOf = async (call: PromiseLike<unknown>) => {
  try {
    await call
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error
    throw error
  }
  throw new Error("the call was not refused")
}
const recording = async () => new File([new Uint8Array(clip)], "audio.ogg", { type: "audio/ogg" })

it(`the official client gets a text read aloud as Ogg Opus, by the description${undescribed(spec)}`, async () => {
  const answer = await clientOf().audio.speech.create(order)
  assert.strictEqual(answer.headers.get("content-type"), "audio/opus")
  assert.deepStrictEqual(Buffer.from(await answer.arrayBuffer()), clip)
  assert.deepStrictEqual(flaws("CreateSpeechRequest", JSON.parse(String(bodies[0]))), [])
  assert.deepInclude(simulator.log.read(0, "speech")[0], {
    outcome: "accepted",
    text: "Oi",
    voice: "alloy",
    format: "opus"
  })
})

it(`the official client gets a recording written down with language and duration, by the description${undescribed(spec)}`, async () => {
  const { audio } = clientOf()
  const short = await audio.transcriptions.create({
    file: await recording(),
    model: "gpt-4o-transcribe",
    language: "pt"
  })
  assert.deepStrictEqual([short.text, flaws("CreateTranscriptionResponseJson", short)], ["Texto simulado.", []])
  const whole = await audio.transcriptions.create({
    file: await recording(),
    model: "whisper-1",
    response_format: "verbose_json",
    timestamp_granularities: ["segment"]
  })
  assert.deepInclude(whole, { language: "portuguese", duration: 1, text: "Texto simulado." })
  assert.deepStrictEqual(flaws("CreateTranscriptionResponseVerboseJson", whole), [])
  // The client first fetches an empty address to learn how forms are sent; that call has no body.
  const sent = bodies.find((body) => body instanceof FormData) ?? new FormData()
  const form = Object.fromEntries([...sent].map(([name, value]) => [name, typeof value === "string" ? value : "bytes"]))
  assert.deepStrictEqual(flaws("CreateTranscriptionRequest", form), [])
  assert.deepInclude(simulator.log.read(0, "transcriptions")[0], {
    outcome: "succeeded",
    language: "pt",
    filename: "audio.ogg"
  })
})

it("refuses an unknown voice, a text without end, an unknown model and a file that is no sound", async () => {
  const { audio } = clientOf()
  const texts = [
    [{ ...order, voice: "nobody" }, 400, "voice"],
    [{ ...order, input: "a".repeat(4097) }, 400, "input"],
    [{ ...order, input: "" }, 400, "input"],
    [{ ...order, model: "nothing" }, 404, null]
  ] as const
  for (const [wrong, status, param] of texts) {
    const refused = await refusalOf(audio.speech.create(wrong))
    assert.deepStrictEqual(
      [refused.status, refused.param ?? null, refused.type],
      [status, param, "invalid_request_error"]
    )
  }
  const long = flaws("CreateSpeechRequest", { ...order, input: "a".repeat(4097) })
  assert.strictEqual(long.length > 0, spec !== undefined)
  const file = new File(["no sound"], "audio.ogg")
  assert.strictEqual((await refusalOf(audio.transcriptions.create({ file, model: "whisper-1" }))).status, 400)
  const verbose = { file: await recording(), model: "gpt-4o-transcribe", response_format: "verbose_json" } as const
  assert.strictEqual((await refusalOf(audio.transcriptions.create(verbose))).param, "response_format")
  assert.strictEqual((await refusalOf(clientOf("sk-wrong").audio.speech.create(order))).code, "invalid_api_key")
})

it("fails as it is told to: limits, broken servers, cut connections and unusable sound", async () => {
  const { audio } = clientOf()
  const fault = (name: string, operation = "speech") =>
    simulator.faults.set([{ name, operation, times: 1, value: 3 }], 1)
  fault("rate_limited")
  const limited = await refusalOf(audio.speech.create(order))
  assert.deepStrictEqual([limited.status, limited.headers?.get("retry-after")], [429, "3"])
  for (const name of ["error_500", "error_500_after", "overloaded"]) {
    fault(name)
    assert.instanceOf(await refusalOf(audio.speech.create(order)), OpenAI.InternalServerError, name)
  }
  fault("voice_unknown")
  assert.strictEqual((await refusalOf(audio.speech.create(order))).param, "voice")
  fault("reset_after")
  assert.instanceOf(await refusalOf(audio.speech.create(order)), OpenAI.APIConnectionError)
  fault("empty_audio")
  assert.strictEqual((await (await audio.speech.create(order)).arrayBuffer()).byteLength, 0)
  fault("empty_text", "transcriptions")
  assert.strictEqual((await audio.transcriptions.create({ file: await recording(), model: "whisper-1" })).text, "")
})
