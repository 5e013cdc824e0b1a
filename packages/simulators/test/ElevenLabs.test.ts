import { ElevenLabsClient, ElevenLabsError } from "@elevenlabs/elevenlabs-js"
import { afterEach, assert, beforeEach, it } from "vitest"
import { type ElevenLabsSimulator, startElevenLabs } from "../elevenlabs/Simulator.ts"
import { clip } from "../kit/Clip.ts"

const voice = "21m00Tcm4TlvDq8ikWAM"
const order = {
  text: "Oi",
  modelId: "eleven_multilingual_v2",
  outputFormat: "opus_48000_32",
  languageCode: "pt"
} as const

let simulator: ElevenLabsSimulator
beforeEach(async () => {
  simulator = await startElevenLabs({ apiKey: "simulated", now: Date.now })
})
afterEach(() => simulator.close())

const clientOf = (apiKey = "simulated") =>
  new ElevenLabsClient({ apiKey, baseUrl: simulator.url, maxRetries: 0, timeoutInSeconds: 2 }).textToSpeech

const refusalOf = async (call: PromiseLike<unknown>) => {
  try {
    await call
  } catch (error) {
    if (error instanceof ElevenLabsError)
      return { status: error.statusCode, detail: Reflect.get(Object(error.body), "detail") }
    throw error
  }
  throw new Error("the call was not refused")
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer())

it("the official client gets a text read aloud as Ogg Opus", async () => {
  assert.deepStrictEqual(await bytesOf(await clientOf().convert(voice, order)), clip)
  assert.deepInclude(simulator.log.read(0, "speech")[0], {
    outcome: "accepted",
    text: "Oi",
    voice,
    language: "pt",
    model: "eleven_multilingual_v2",
    format: "opus_48000_32"
  })
})

it("refuses keys, voices, models and texts with the vendor's names", async () => {
  const client = clientOf()
  for (const [call, status, name] of [
    [clientOf("wrong").convert(voice, order), 401, "invalid_api_key"],
    [client.convert("unknown", order), 404, "voice_not_found"],
    [client.convert(voice, { ...order, modelId: "nothing" }), 400, "model_not_found"],
    [client.convert(voice, { ...order, text: " " }), 400, "input_text_empty"],
    [client.convert(voice, { ...order, text: "a".repeat(10_001) }), 400, "max_character_limit_exceeded"]
  ] as const) {
    const refused = await refusalOf(call)
    assert.deepStrictEqual([refused.status, refused.detail.status], [status, name])
  }
  const url = `${simulator.url}/v1/text-to-speech/${voice}?output_format=opus_1`
  const answer = await fetch(url, { method: "POST", headers: { "xi-api-key": "simulated" }, body: "{}" })
  assert.strictEqual(answer.status, 422)
  assert.deepStrictEqual(
    ((await answer.json()) as { readonly detail: ReadonlyArray<{ readonly loc: unknown }> }).detail[0]?.loc,
    ["query", "output_format"]
  )
})

it("fails as it is told to: limits, broken servers, cut connections and unusable sound", async () => {
  const client = clientOf()
  const fault = (name: string) => simulator.faults.set([{ name, operation: "speech", times: 1 }], 1)
  for (const [name, status] of [
    ["rate_limited", 429],
    ["quota_exceeded", 401],
    ["error_500", 500],
    ["error_500_after", 500],
    ["reset", undefined]
  ] as const) {
    fault(name)
    assert.strictEqual((await refusalOf(client.convert(voice, order))).status, status, name)
  }
  fault("empty_audio")
  assert.lengthOf(await bytesOf(await client.convert(voice, order)), 0)
  fault("wrong_bytes")
  assert.notDeepEqual(await bytesOf(await client.convert(voice, order)), clip)
})
