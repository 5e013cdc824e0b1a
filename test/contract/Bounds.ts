/** A body whose one field is just outside of what the contract allows. */
export interface Bound {
  readonly operationId: string
  readonly name: string
  /** Laid over the operation's example. */
  readonly body: object
  readonly param: string
  /** The operation's first documented 400 unless given. */
  readonly code?: string
}

const labels: ReadonlyArray<readonly [operationId: string, field: string, minimum: number, maximum: number]> = [
  ["apiKeys.create", "name", 1, 255],
  ["apiKeys.rename", "name", 3, 80],
  ["deviceAuthorizations.create", "client_name", 1, 80],
  ["projects.create", "name", 1, 120],
  ["feedback.create", "message", 1, 2000],
  ["webhooks.endpoints.create", "description", 1, 255],
  ["webhooks.endpoints.update", "description", 1, 255],
  ["webhooks.listenSessions.create", "reason", 1, 200],
  ["sandbox.simulateInbound", "profile_name", 1, 255]
]

const labelBounds = labels.flatMap(([operationId, field, minimum, maximum]) =>
  (
    [
      ["one character too many", "𝒳".repeat(maximum + 1)],
      ["one character too few", "x".repeat(minimum - 1)],
      ["a NUL", "abc\u0000def"],
      ["an escape character", "abc\u001bdef"],
      ["a C1 control character", "abc\u0085def"],
      ["half of a surrogate pair", "abc\ud800def"]
    ] as const
  ).map(
    ([what, value]): Bound => ({ operationId, name: `${field} with ${what}`, body: { [field]: value }, param: field })
  )
)

const blanks = labels
  .filter(([operationId]) => operationId !== "sandbox.simulateInbound")
  .map(
    ([operationId, field]): Bound => ({
      operationId,
      name: `a blank ${field}`,
      body: { [field]: "  \n\t  " },
      param: field
    })
  )

const instants = ["apiKeys.create", "deviceAuthorizations.create"].flatMap((operationId) =>
  [
    ["without a timezone", "2026-06-01T00:00:00"],
    ["as a date", "2026-06-01"],
    ["on a day that does not exist", "2026-02-30T00:00:00Z"],
    ["with ten digits of a second", "2026-06-01T00:00:00.0123456789Z"],
    ["that is now", "2026-01-01T00:00:00Z"],
    ["in the past", "2025-12-31T23:59:59.999Z"],
    ["more than five years ahead", "2031-01-02T00:00:00Z"]
  ].map(
    ([name, expires_at]): Bound => ({
      operationId,
      name: `an expires_at ${name}`,
      body: { expires_at },
      param: "expires_at"
    })
  )
)

const entries = (count: number, value: unknown = "v") =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))

const maps = ["messages.send", "sandbox.simulateInbound"].flatMap((operationId) =>
  (
    [
      ["51 keys", entries(51)],
      ["a key of 65 characters", { ["k".repeat(65)]: 1 }],
      ["an empty key", { "": 1 }],
      ["more than 16 KiB", { k: "v".repeat(16_384) }]
    ] as const
  ).map(
    ([name, metadata]): Bound => ({ operationId, name: `metadata with ${name}`, body: { metadata }, param: "metadata" })
  )
)

const contexts = (
  [
    ["33 entries", entries(33), "context"],
    ["a key of 65 characters", { ["k".repeat(65)]: "v" }, "context"],
    ["a value of 1025 characters", { k: "v".repeat(1025) }, "context.k"],
    ["more than 16 KiB", entries(20, "v".repeat(1000)), "context"],
    ["a value that is no text", { k: 1 }, "context.k"]
  ] as const
).map(
  ([name, context, param]): Bound => ({
    operationId: "feedback.create",
    name: `context with ${name}`,
    body: { context },
    param
  })
)

const urls = ["webhooks.endpoints.create", "webhooks.endpoints.update"].flatMap((operationId) => [
  ...[
    "",
    "hooks.example.test",
    "https://",
    "https://a b.example.test/",
    `https://a.example.test/${"x".repeat(2048)}`,
    "https://a.example.test/#x"
  ].map((url): Bound => ({ operationId, name: `the url ${url.slice(0, 30)}`, body: { url }, param: "url" })),
  ...[
    "http://hooks.example.test/",
    "https://u:p@hooks.example.test/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://0x7f.1/",
    "https://10.0.0.1/",
    "https://169.254.169.254/",
    "https://intranet/",
    "https://a.internal/",
    "ftp://hooks.example.test/",
    "https://[::ffff:10.0.0.1]/"
  ].map(
    (url): Bound => ({
      operationId,
      name: `the unsafe url ${url}`,
      body: { url },
      param: "url",
      code: "unsafe_webhook_url"
    })
  )
])

const text = (body: string) => ({ type: "text", text: { body } })

/** Bounds that JSON Schema does not tell, each one step outside. */
export const bounds: ReadonlyArray<Bound> = [
  ...labelBounds,
  ...blanks,
  ...instants,
  ...maps,
  ...contexts,
  ...urls,
  { operationId: "projects.create", name: "a slug of 81 characters", body: { slug: "s".repeat(81) }, param: "slug" },
  { operationId: "projects.create", name: "a slug in upper case", body: { slug: "Padaria" }, param: "slug" },
  { operationId: "projects.create", name: "an empty slug", body: { slug: "" }, param: "slug" },
  {
    operationId: "apiKeys.create",
    name: "65 scopes",
    body: { scopes: new Array(65).fill("messages:read") },
    param: "scopes"
  },
  {
    operationId: "apiKeys.create",
    name: "the administrative scope",
    body: { scopes: ["api_keys:admin"] },
    param: "scopes.0"
  },
  {
    operationId: "apiKeys.create",
    name: "another environment",
    body: { environment: "production" },
    param: "environment"
  },
  {
    operationId: "webhooks.endpoints.create",
    name: "an event never emitted",
    body: { subscribed_events: ["message.sent", "message.created"] },
    param: "subscribed_events.1"
  },
  {
    operationId: "webhooks.endpoints.create",
    name: "the probe's event",
    body: { subscribed_events: ["webhook.test"] },
    param: "subscribed_events.0"
  },
  {
    operationId: "webhooks.endpoints.create",
    name: "a wildcard",
    body: { subscribed_events: ["*"] },
    param: "subscribed_events.0"
  },
  {
    operationId: "webhooks.events.bulkResend",
    name: "the probe's event",
    body: { event_type: "webhook.test" },
    param: "event_type"
  },
  {
    operationId: "webhooks.events.bulkResend",
    name: "an id twice",
    body: { webhook_event_ids: ["whe_1", "whe_1"] },
    param: "webhook_event_ids"
  },
  {
    operationId: "webhooks.events.bulkResend",
    name: "101 ids",
    body: { webhook_event_ids: Array.from({ length: 101 }, (_, n) => `whe_${n}`) },
    param: "webhook_event_ids"
  },
  { operationId: "messages.send", name: "an empty text", body: { message: text("") }, param: "message.text.body" },
  {
    operationId: "messages.send",
    name: "a text of 4097 characters",
    body: { message: text("𝒳".repeat(4097)) },
    param: "message.text.body"
  },
  {
    operationId: "messages.send",
    name: "a text with a NUL",
    body: { message: text("a\u0000") },
    param: "message.text.body"
  },
  {
    operationId: "messages.send",
    name: "an opaque recipient with a NUL",
    body: { channel: "chatapp_channel", recipient: { type: "chatapp_channel", id: "a\u0000" } },
    param: "recipient.id"
  },
  {
    operationId: "sandbox.simulateInbound",
    name: "an opaque sender with a NUL",
    body: { channel: "chatapp_channel", from: "a\u0000" },
    param: "from"
  }
]
