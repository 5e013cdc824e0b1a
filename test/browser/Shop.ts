import { strict as assert } from "node:assert"
import pg from "pg"
import { press, type Scene, untilIs } from "./Scene.ts"

// A shop as its people would have it: what the pictures of the documentation show. Everything is done by calls of the API,
// but for the hours of the last week, whose counts are written where the product counts them.

/** Customers with what they wrote, and what the shop answered. */
const talks: ReadonlyArray<readonly [name: string, phone: string, said: ReadonlyArray<string>]> = [
  ["Beatriz Nogueira", "+5511987650012", ["Oi! O vestido de linho tem no tamanho M?", "Tem sim, em verde e em areia."]],
  ["Rafael Azevedo", "+5521976540023", ["Meu pedido 1039 já saiu?", "Saiu hoje cedo, chega amanhã até as 18h."]],
  [
    "Camila Prado",
    "+5531965430034",
    ["Quero trocar a sandália 37 por uma 38", "Claro! Pode trazer na loja ou enviar pelo correio."]
  ],
  ["João Pedro Lima", "+5541954320045", ["Vocês abrem no domingo?", "Das 10h às 16h, na Rua Augusta."]],
  ["Helena Duarte", "+5571943210056", ["Chegou, é linda! Obrigada 💛"]],
  [
    "Marcos Teixeira",
    "+5581932100067",
    ["Parcelam em quantas vezes?", "Em até 6 vezes sem juros, ou no Pix com 5% de desconto."]
  ],
  ["Larissa Moura", "+5551921090078", ["Bom dia! A bolsa caramelo volta ao estoque?"]],
  ["Ana Souza", "+5511912340089", ["Oi, vi o casaco no Instagram", "O de lã? Temos P, M e G.", "O M! Como pago?"]]
]

/** Payments as the shop asked for them, in centavos. */
const payments: ReadonlyArray<
  readonly [order: string, what: string, cents: number, ends: "paid" | "failed" | undefined]
> = [
  ["pedido-1036", "Sandália de couro, 38", 15_990, "paid"],
  ["pedido-1037", "Camisa de algodão, G", 12_900, "paid"],
  ["pedido-1038", "Bolsa caramelo", 34_900, "failed"],
  ["pedido-1039", "Vestido de linho, P", 28_990, "paid"],
  ["pedido-1040", "Lenço de seda", 8_950, "paid"],
  ["pedido-1041", "Saia midi, M", 19_800, undefined],
  ["pedido-1042", "Casaco de lã, M", 45_900, undefined]
]

const body = (text: string, ...examples: ReadonlyArray<string>) => ({
  type: "BODY",
  text,
  ...(examples.length > 0 && { example: { body_text: [examples] } })
})

const templates = [
  {
    name: "pedido_enviado",
    category: "utility",
    components: [
      { type: "HEADER", format: "TEXT", text: "Seu pedido está a caminho" },
      body("Oi, {{1}}! O pedido {{2}} saiu da loja e chega em até dois dias úteis.", "Beatriz", "1039"),
      { type: "FOOTER", text: "Loja Aurora" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Acompanhar" },
          { type: "QUICK_REPLY", text: "Falar com a loja" }
        ]
      }
    ]
  },
  {
    name: "retirada_pronta",
    category: "utility",
    components: [body("{{1}}, seu pedido está pronto para retirar na Rua Augusta, das 10h às 19h.", "Camila")]
  },
  {
    name: "colecao_de_verao",
    category: "marketing",
    components: [
      body("Oi, {{1}}! A coleção de verão chegou, com frete grátis até domingo. Quer ver as novidades?", "Helena"),
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Quero ver" }] }
    ]
  }
]

/** What the pictures need to know of the shop. */
export interface Shop {
  readonly batch: string
  readonly payment: string
  /** Where its customer pays. */
  readonly payLink: string
  readonly message: string
  readonly contact: string
  /** The phone of a customer who waits. */
  readonly talk: string
  readonly template: string
  readonly delivery: string
  /** The endpoint that was disabled after failures. */
  readonly failing: string
}

type Made = Readonly<Record<string, unknown>>

/** Opens the shop in the sandbox of the scene. */
export const openShop = async (scene: Scene): Promise<Shop> => {
  const { call, dev, hooks, key } = scene
  const post = async (path: string, sent: object): Promise<Made> => {
    let answer = await call("POST", path, { key, body: sent })
    // A sandbox simulates so many messages a second.
    while (answer.status === 429) answer = await call("POST", path, { key, body: sent })
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const reads = (path: string, isSo: (read: Made) => boolean) => untilIs(scene, path, isSo, 120_000)
  const first = async (path: string): Promise<Made> => {
    const { data } = await reads(path, (read) => Array.isArray(read.data) && read.data.length > 0)
    return (data as ReadonlyArray<Made>)[0] ?? {}
  }
  const number = dev.sandbox.phone_number_id
  const write = (phone: string, text: string, name?: string) =>
    post("/v1/sandbox/inbound-messages", {
      channel: "chatapp",
      from: phone,
      to: number,
      type: "text",
      text: { body: text },
      ...(name && { profile_name: name })
    })
  const send = (phone: string, message: object) =>
    post("/v1/messages", {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number },
      recipient: { type: "phone_e164", id: phone },
      message
    })

  await renamed(scene)
  const events = ["message.received", "message.sent", "message.delivered", "message.read", "message.failed"]
  const orders = { url: `${hooks}/well`, description: "Pedidos", subscribed_events: [...events, "payment.paid"] }
  const well = await post("/v1/webhook-endpoints", orders)
  for (const name of ["Site da loja", "ERP"]) {
    await post("/v1/api-keys", { name, environment: "sandbox", scopes: ["messages:read", "messages:write"] })
  }
  let template = ""
  for (const one of templates) {
    const { id } = await post("/v1/templates", { ...one, language: "pt_BR" })
    await post(`/v1/templates/${String(id)}/submit`, {})
    await reads(`/v1/templates/${String(id)}`, ({ status }) => status === "approved")
    if (template === "") template = String(id)
  }
  const recipients = Array.from({ length: 240 }, (_, n) => ({
    to: `+55119${String(61_000_000 + n * 7919)}`,
    variables: { "1": firstNames[n % firstNames.length] }
  }))
  const batch = await post("/v1/batches", {
    sender: { type: "chatapp_phone_number", id: number },
    name: "Coleção de verão",
    template: { name: "colecao_de_verao", language: "pt_BR" },
    recipients
  })
  await reads(`/v1/batches/${String(batch.id)}`, ({ status }) => status === "completed")
  let message = ""
  for (const [name, phone, said] of talks) {
    for (const [at, text] of said.entries()) {
      const sent =
        at % 2 === 0 ? await write(phone, text, name) : await send(phone, { type: "text", text: { body: text } })
      if (at % 2 === 1) message = String(sent.id)
    }
  }
  let payment = ""
  let payLink = ""
  let buyer = 1
  for (const [external_reference, description, amount_brl_centavos, ends] of payments) {
    const [customer_name, customer_phone] = talks[buyer++ % talks.length] ?? []
    const who = { customer_name, customer_phone }
    const { id } = await post("/v1/payments", { amount_brl_centavos, description, external_reference, ...who })
    const linked = await reads(`/v1/payments/${String(id)}`, (read) => read.payment_link_url !== null)
    if (ends !== undefined) await post(`/v1/sandbox/payments/${String(id)}/status`, { status: ends })
    if (ends === "paid") payment = String(id)
    else if (ends === undefined) payLink = String(linked.payment_link_url)
  }
  const failing = await broken(scene, post, write)
  await write("+5511912340089", "Consegue separar para mim?", "Ana Souza")
  await post("/v1/contacts/opt-out", { phone: "+5581932100067", source: "loja", reason: "pediu no balcão" })
  await weekOf(dev.sandbox.environment_id, scene.product.database)
  return {
    batch: String(batch.id),
    payment,
    payLink,
    message,
    talk: "+5511912340089",
    contact: String((await first("/v1/contacts?phone=%2B5511912340089")).id),
    template,
    delivery: String((await first(`/v1/webhook-events?webhook_endpoint_id=${String(well.id)}&limit=1`)).id),
    failing
  }
}

const firstNames = ["Maria", "Paulo", "Juliana", "Diego", "Fernanda", "Bruno", "Sofia", "Caio", "Renata", "Igor"]

/** Gives the demo project the name of the shop. */
const renamed = async ({ dev, page }: Scene): Promise<void> => {
  await page.goto(`/dashboard/projects/${dev.project_id}`)
  await page.getByLabel("Name", { exact: true }).fill("Loja Aurora")
  await press(page.getByRole("button", { name: "Save the settings" }))
}

/** Adds an endpoint whose receiver is down until the product disables it; returns its id. */
const broken = async (
  { call, hooks, key }: Scene,
  post: (path: string, sent: object) => Promise<Made>,
  write: (phone: string, text: string, name?: string) => Promise<Made>
): Promise<string> => {
  const endpoint = { url: `${hooks}/moody`, description: "Estoque", subscribed_events: ["message.received"] }
  const { id } = await post("/v1/webhook-endpoints", endpoint)
  const asked = ["Tem nota fiscal?", "Entregam em Recife?", "Qual o prazo?", "Aceitam vale?", "Tem em azul?"]
  for (let n = 0; n < 20; n++) await write(`+55119${87_650_100 + n}`, asked[n % asked.length] ?? "", firstNames[n % 10])
  const again = { status: "pending", event_type: "message.received", limit: 100 }
  for (const begun = Date.now(); ; ) {
    const { status } = (await call("GET", `/v1/webhook-endpoints/${String(id)}`, { key })).body
    if (status !== "active") break
    assert.ok(Date.now() - begun < 60_000, "twenty failures never disabled it")
    await call("POST", "/v1/webhook-events/bulk-resend", { key, body: again })
  }
  return String(id)
}

/** Writes the counted hours of the two weeks before: more by day than by night and on working days, and more this week. */
const weekOf = async (environment: string, url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const hour = 3_600_000
  const now = Math.floor(Date.now() / hour) * hour
  try {
    for (let back = 1; back < 15 * 24; back++) {
      const at = new Date(now - back * hour)
      const local = (at.getUTCHours() + 21) % 24
      const day = [0.5, 0.84, 0.91, 0.88, 1, 1.16, 0.97][at.getUTCDay()] ?? 1
      const busy = Math.max(0, Math.sin(((local - 7) / 15) * Math.PI)) * day * (back < 7 * 24 ? 1 : 0.86)
      const sent = Math.round((60 + ((back * 37) % 23)) * busy)
      for (const [measure, count, amount] of [
        ["message.received", Math.round(sent * 0.62), 0],
        ["message.sent", sent, 0],
        ["message.delivered", Math.round(sent * 0.97), 0],
        ["message.read", Math.round(sent * 0.81), 0],
        ["message.failed", back % 9 === 0 ? Math.round(sent * 0.03) : 0, 0],
        ["payment.paid", Math.round(sent * 0.05), Math.round(sent * 0.05) * 189_9000],
        ["webhook.succeeded", sent * 3, sent * 3 * 84],
        ["webhook.within.100", sent * 3, sent * 3 * 84],
        ["webhook.failed", back % 31 === 0 ? 2 : 0, 0]
      ] as const) {
        if (count === 0) continue
        await client.query(
          `insert into activity_hours (environment_id, measure, hour, count, amount) values ($1, $2, $3, $4, $5)
           on conflict (environment_id, measure, hour) do nothing`,
          [environment, measure, at.toISOString(), count, amount]
        )
      }
    }
  } finally {
    await client.end()
  }
}
