import { subjectHash } from "@carteiro/owners/Subject.ts"
import { lowestIdAt, traceOf } from "@carteiro/owners/Ulid.ts"
import { type LocatedRequest, readRequest } from "@carteiro/runtime/request-logs/log/LoggedRequest.ts"
import { markOf, RedactionMemory } from "@carteiro/runtime/request-logs/log/RedactionMemory.ts"
import {
  eraseFrom,
  openDetails,
  openTexts,
  partIntoBlocks,
  type RequestBlock,
  sealBlock
} from "@carteiro/runtime/request-logs/log/RequestBlock.ts"
import { readLines } from "@carteiro/runtime/request-logs/log/RequestLines.ts"
import { makeSecrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"

const secrets = makeSecrets([new Uint8Array(32).fill(7)])
const begin = Date.UTC(2026, 0, 1)

const requestAt = (at: number, more: Partial<LocatedRequest> = {}): LocatedRequest => {
  const requestId = lowestIdAt("req", begin + at)
  return {
    operation: "messages.send",
    method: "POST",
    route: "/v1/messages/:message_id",
    keyId: "key_1",
    status: 202,
    requestId,
    traceId: traceOf(requestId),
    millis: at,
    owner: { environment_id: "env_1", api_key_id: "key_1", environment: "sandbox" },
    arrivedAt: begin + at,
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
  }
}

const about = (phone: string, text = "oi") => JSON.stringify({ recipient: { type: "phone_e164", id: phone }, text })

const blockOf = (requests: ReadonlyArray<LocatedRequest>): RequestBlock => {
  const memory = new RedactionMemory(secrets)
  const [first] = requests
  const block =
    first &&
    sealBlock(
      secrets,
      first.owner,
      requests.map((request) => readRequest(request, memory))
    )
  assert.isDefined(block)
  return block
}

const idsOf = (parts: ReadonlyArray<ReadonlyArray<LocatedRequest>>) =>
  parts.map((part) => part.map(({ millis }) => millis))

it("requests share a block with those of their environment, ten seconds, standing and sent trace, in the order of ids", () => {
  const other = { environment_id: "env_2", api_key_id: "key_2", environment: "production" } as const
  const requests = [
    requestAt(3),
    requestAt(1),
    requestAt(2, { status: 404 }),
    requestAt(4, { owner: other }),
    requestAt(5, { traceId: "chosen-by-caller" }),
    requestAt(9_999),
    requestAt(10_000)
  ]
  assert.deepStrictEqual(idsOf(partIntoBlocks(requests)), [[1, 3, 9_999], [2], [4], [5], [10_000]])
})

it("a block holds 256 requests at most, and bodies of 128 KB", () => {
  const many = Array.from({ length: 300 }, (_, at) => requestAt(at))
  assert.deepStrictEqual(
    partIntoBlocks(many).map(({ length }) => length),
    [256, 44]
  )
  const large = Array.from({ length: 9 }, (_, at) => requestAt(at, { body: "x".repeat(16_384) }))
  assert.deepStrictEqual(
    partIntoBlocks(large).map(({ length }) => length),
    [8, 1]
  )
})

it("a block shows every request as it was, few or many", () => {
  for (const count of [1, 3, 200]) {
    const requests = Array.from({ length: count }, (_, at) =>
      requestAt(at, {
        body: about(`+55119${10_000_000 + at}`),
        isReplayed: at % 2 === 1,
        status: at % 3 === 0 ? 202 : 200,
        warning: at % 5 === 0 ? "invalid_phone_number" : undefined
      })
    )
    const block = blockOf(requests)
    const lines = readLines(block.lines, block.trace_id)
    assert.deepStrictEqual([block.first_id, block.last_id], [requests[0]?.requestId, requests.at(-1)?.requestId])
    for (const [at, { isReplayed, requestId, status, traceId, warning }] of requests.entries()) {
      assert.deepStrictEqual(lines[at], {
        id: requestId,
        api_key_id: "key_1",
        method: "POST",
        route: "/v1/messages/{message_id}",
        status,
        code: null,
        duration_ms: at,
        source_address: "127.0.0.1",
        replayed: isReplayed,
        warning: warning ?? null,
        trace_id: traceId,
        created_at: begin + at
      })
      assert.deepStrictEqual(openDetails(secrets, block, at)?.request_body, {
        recipient: { type: "phone_e164", id: `+55119${10_000_000 + at}` },
        text: "oi"
      })
    }
  }
})

it("details open only in their row, and many of them take little room", () => {
  const requests = Array.from({ length: 64 }, (_, at) =>
    requestAt(at, { body: about("+5511987654321", "a word. ".repeat(40)) })
  )
  const block = blockOf(requests)
  assert.isBelow(block.details?.length ?? 0, 64 * 100)
  for (const row of [
    { ...block, environment_id: "env_2" },
    { ...block, last_id: block.first_id }
  ]) {
    assert.isUndefined(openDetails(secrets, row, 0))
  }
})

it('an erasure takes the requests of one customer up to its instant from a block, and no others gaps-2 I "Erasure"', () => {
  const [maria, joana] = ["+5511987654321", "+5511976543210"]
  const requests = [0, 1, 2, 3].map((at) => requestAt(at, { body: about(at === 1 ? joana : maria) }))
  const block = blockOf(requests)
  const markOfPhone = (phone: string) =>
    markOf(subjectHash(secrets, "env_1", { type: "phone_e164", key: phone.slice(1) }))
  assert.sameMembers([...(block.subjects ?? [])], [maria, joana].map(markOfPhone))
  const end = requests[3]?.requestId ?? ""
  const rest = eraseFrom(secrets, block, new Set([markOfPhone(maria)]), end)
  assert.isDefined(rest)
  const left = { ...block, ...rest }
  assert.deepStrictEqual(
    requests.map((_, at) => openDetails(secrets, left, at) === undefined),
    [true, false, true, false]
  )
  // Nothing more is left to erase, so that a second pass writes nothing.
  assert.isUndefined(eraseFrom(secrets, left, new Set([markOfPhone(maria)]), end))
  const last = eraseFrom(secrets, left, new Set([maria, joana].map(markOfPhone)), lowestIdAt("req", begin + 10))
  assert.deepStrictEqual(last, { details: null, subjects: null })
  assert.deepStrictEqual(openTexts(secrets, { ...block, details: null }), [])
})

it("details that no longer open go with the first erasure that meets them", () => {
  const block = blockOf([requestAt(0, { body: about("+5511987654321") })])
  const stranger = makeSecrets([new Uint8Array(32).fill(8)])
  assert.deepStrictEqual(eraseFrom(stranger, block, new Set([1]), "req_z"), { details: null, subjects: null })
})
