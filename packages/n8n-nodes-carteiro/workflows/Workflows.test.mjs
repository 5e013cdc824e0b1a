import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"

// Where n8n's engine keeps its own key; set before it loads.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), "n8n-"))
process.env.N8N_LOG_LEVEL = "silent"
const { engine, listening, node, offered, run } = await import("./Engine.mjs")
const { freePort, startedProduct } = await import("./Product.mjs")

const customer = "+5511988887777"
let product
let port
let stage

before(async () => {
  port = await freePort()
  product = await startedProduct(`http://127.0.0.1:${port}`)
  stage = await engine(product)
})

after(async () => {
  await product?.stop()
  rmSync(process.env.N8N_USER_FOLDER, { recursive: true, force: true })
})

const from = () => ({ mode: "id", value: product.phoneNumberId })
const carteiro = (nodeName, resource, operation, parameters) =>
  node(nodeName, "carteiro", { resource, operation, ...parameters })
const writes = (nodeName, text) => carteiro(nodeName, "sandbox", "writeAsCustomer", { number: from(), customer, text })

/** Runs one operation and returns its items. */
const items = async (resource, operation, parameters, input) => {
  const { error, itemsOf } = await run(
    stage,
    [start, carteiro("Carteiro", resource, operation, parameters)],
    input ?? [{}]
  )
  if (error !== undefined) throw error
  return itemsOf("Carteiro")
}
const start = carteiro("Start", "sandbox", "getSampleEvent", { eventType: "message.received" })

/** Runs one operation that fails, and returns n8n's error. */
const failure = (...words) =>
  items(...words).then(
    () => assert.fail("it passed"),
    (error) => error
  )

test("the credential's test call names the account, and a wrong key fails it", async () => {
  const { request, rules } = stage.credentialType.test
  assert.equal(request.url, "/v1/account")
  for (const [apiKey, status] of [
    [product.apiKey, 200],
    ["svc_sbx_wrong", 401]
  ]) {
    const answer = await fetch(`${product.baseUrl}${request.url}`, { headers: { authorization: `Bearer ${apiKey}` } })
    assert.equal(answer.status, status)
  }
  const misplaced = await fetch(`${product.baseUrl}/v1${request.url}`)
  assert.equal(misplaced.status, 404)
  const sentences = Object.fromEntries(rules.map(({ properties }) => [properties.value, properties.message]))
  assert.match(sentences[401], /key is wrong, revoked or expired/)
  assert.match(sentences[404], /has no path/)
})

test("lists offer the sandbox's number and its approved templates", async () => {
  const { results } = await offered(stage, { type: "carteiro", parameters: {} }, "listSearch", "searchPhoneNumbers")
  assert.deepEqual(
    results.map(({ value }) => value),
    [product.phoneNumberId]
  )
  const templates = await offered(stage, { type: "carteiro", parameters: {} }, "loadOptions", "getTemplates")
  assert.ok(templates.some(({ value }) => value === "pt_BR:welcome"))
})

test("a workflow answers a customer with a text, buttons, a list, a template and a file", async () => {
  const to = customer
  const { entriesOf, error, itemsOf } = await run(
    stage,
    [
      start,
      writes("Customer", "Oi"),
      carteiro("Text", "message", "sendText", { from: from(), to, text: "Olá, {{ $json.id }} não muda: é, ção, 🙂" }),
      carteiro("Buttons", "message", "sendButtons", {
        from: from(),
        to,
        text: "Quando?",
        buttons: {
          button: [
            { id: "t1", title: "Hoje" },
            { id: "t2", title: "Amanhã" }
          ]
        },
        more: { footer: "Barbearia", header: "Horários" }
      }),
      carteiro("List", "message", "sendList", {
        from: from(),
        to,
        text: "Escolha",
        listButton: "Ver",
        rows: {
          row: [
            { section: "Corte", id: "a", title: "Cabelo" },
            { section: "Barba", id: "b", title: "Barba", description: "30 minutos" },
            { section: "Corte", id: "c", title: "Cabelo e barba" }
          ]
        }
      }),
      carteiro("Template", "message", "sendTemplate", {
        from: from(),
        to,
        template: "pt_BR:welcome",
        variables: { variable: [{ name: "1", value: "Ana" }] }
      }),
      carteiro("Read", "message", "get", { messageId: "={{ $('List').item.json.id }}" })
    ],
    [{}]
  )
  assert.equal(error, undefined)
  for (const name of ["Text", "Buttons", "List", "Template"]) assert.equal(itemsOf(name)[0].status, "queued", name)
  assert.equal(entriesOf("Text")[0].pairedItem.item, 0)
  const [read] = itemsOf("Read")
  assert.deepEqual([read.type, read.recipient.id], ["interactive", customer])
})

test("a file of the item is uploaded and sent", async () => {
  const nodes = [
    start,
    carteiro("File", "message", "sendMedia", {
      from: from(),
      to: customer,
      kind: "document",
      source: "binary",
      binaryField: "data",
      caption: "O cardápio"
    })
  ]
  const { error, itemsOf } = await run(stage, nodes, [{}], {
    data: { data: Buffer.from("pão de queijo").toString("base64"), mimeType: "text/plain", fileName: "cardápio.txt" }
  })
  assert.equal(error, undefined)
  assert.equal(itemsOf("File")[0].status, "queued")
})

test("a send under one key is one message, and each item has its own", async () => {
  const body = { from: from(), to: customer, text: "Uma vez", more: { idempotencyKey: "={{ $json.key }}" } }
  const sent = await items("message", "sendText", body, [{ key: "n8n 1" }, { key: "n8n 1" }, { key: "n8n 2" }])
  assert.equal(sent[0].id, sent[1].id)
  assert.notEqual(sent[0].id, sent[2].id)
})

test("a refusal is n8n's error with the API's sentence, code and page; with continue it is an item", async () => {
  const error = await failure("message", "sendText", { from: from(), to: "+5511900000001", text: "Oi" })
  assert.match(error.message, /24 hours|window/i)
  assert.match(error.description, /Code: service_window_required.*more: http/)
  assert.equal(error.httpCode, "400")
  const going = {
    ...carteiro("Going", "payment", "get", { paymentId: "pay_nothing" }),
    onError: "continueRegularOutput"
  }
  const { itemsOf } = await run(stage, [start, going], [{}])
  assert.match(itemsOf("Going")[0].error, /payment/i)
  const metadata = await failure("message", "sendText", {
    from: from(),
    to: customer,
    text: "Oi",
    more: { metadata: "{" }
  })
  assert.match(metadata.message, /Metadata is no JSON/)
})

test("consent is noted and found", async () => {
  const phone = "+5511977776666"
  const [out] = await items("contact", "optOut", { phone, more: { source: "n8n", reason: "pediu" } })
  const [found] = await items("contact", "getAll", { returnAll: false, limit: 5, filters: { phone } })
  assert.deepEqual([found.id, found.opt_in_status], [out.id, "opted_out"])
  assert.equal((await failure("message", "sendText", { from: from(), to: phone, text: "Oi" })).httpCode, "400")
  const [back] = await items("contact", "optIn", { phone })
  assert.equal(back.opt_in_status, "opted_in")
})

test("a batch takes all items as its recipients", async () => {
  const input = [
    { phone: "+5511955550001", name: "Ana" },
    { phone: "+5511955550002", name: "Bia" }
  ]
  const made = await items(
    "batch",
    "run",
    {
      from: from(),
      template: "pt_BR:welcome",
      recipients: "items",
      to: "={{ $json.phone }}",
      variables: { variable: [{ name: "1", value: "={{ $json.name }}" }] },
      more: { name: "Sábado" }
    },
    input
  )
  assert.equal(made.length, 1)
  const [batch] = await items("batch", "get", { batchId: made[0].id })
  assert.deepEqual([batch.id, batch.name], [made[0].id, "Sábado"])
})

test("a payment is created in centavos, paid in the sandbox, and starts a workflow", async () => {
  const hook = await listening(stage, ["payment.paid"], port)
  try {
    assert.equal(await hook.hook("checkExists"), false)
    assert.equal(await hook.hook("create"), true)
    assert.equal(await hook.hook("checkExists"), true)
    const [payment] = await items("payment", "create", {
      amount: 60.55,
      more: { description: "Corte", customer_phone: customer }
    })
    assert.equal(payment.amount_brl, "60.5500")
    const until = async (status) => {
      for (;;) if ((await items("payment", "get", { paymentId: payment.id }))[0].status === status) return
    }
    await until("link_generated")
    await items("sandbox", "setPaymentStatus", { paymentId: payment.id, status: "paid" })
    const { workflowData } = await hook.delivery(({ workflowData: data }) => data !== undefined)
    const [[{ json: event }]] = workflowData
    assert.deepEqual([event.type, event.data.id], ["payment.paid", payment.id])
    const thanks = carteiro("Thanks", "message", "sendText", {
      from: from(),
      to: "={{ $json.data.customer_phone }}",
      text: "=Recebemos R$ {{ $json.data.amount_brl }}. Obrigado!"
    })
    const { error, itemsOf } = await run(
      stage,
      [node("Trigger", "carteiroTrigger", { events: ["payment.paid"] }), thanks],
      [event]
    )
    assert.equal(error, undefined)
    assert.equal(itemsOf("Thanks")[0].status, "queued")
  } finally {
    await hook.hook("delete")
    await hook.close()
  }
})

test("the trigger runs once for an event, refuses foreign signatures, and takes its endpoint away", async () => {
  const hook = await listening(stage, ["message.received"], port)
  try {
    await hook.hook("create")
    const { endpointId } = hook.kept()
    await items("sandbox", "writeAsCustomer", { number: from(), customer, text: "Olá, é a Ana 🙂" })
    const first = await hook.delivery(({ workflowData }) => workflowData !== undefined)
    const repeat = (headers, body = first.rawBody) => fetch(`${hook.base}/again`, { method: "POST", headers, body })
    const headers = Object.fromEntries(
      Object.entries(first.headers).filter(([name]) => /webhook|content-type/.test(name))
    )
    const again = await repeat(headers)
    assert.deepEqual([again.status, hook.received.at(-1).workflowData], [200, undefined])
    assert.deepEqual(hook.received.at(-1).webhookResponse, { duplicate: true })
    for (const foreign of [{}, { ...headers, "svc-webhook-signature": "0".repeat(64), "webhook-signature": "v1,x" }]) {
      assert.equal((await repeat(foreign)).status, 401)
    }
    assert.equal((await repeat(headers, Buffer.concat([first.rawBody, Buffer.from(" ")]))).status, 401)
    assert.equal(await hook.hook("delete"), true)
    assert.deepEqual(Object.keys(hook.kept()), ["seen"])
    const gone = await fetch(`${product.baseUrl}/v1/webhook-endpoints/${endpointId}`, {
      headers: { authorization: `Bearer ${product.apiKey}` }
    })
    assert.equal(gone.status, 404)
    assert.equal((await repeat(headers)).status, 401)
    // Somebody removed it in the console: the next activation registers anew.
    Object.assign(hook.kept(), { endpointId, signingSecret: "whsec_gone" })
    assert.equal(await hook.hook("checkExists"), false)
    assert.equal(await hook.hook("delete"), true)
  } finally {
    await hook.close()
  }
})

test("a trigger at an address that the API does not deliver to names the setting of n8n that mends it", async () => {
  const hook = await listening(stage, ["message.received"], 0)
  try {
    await assert.rejects(hook.hook("create"), ({ description, message }) => {
      assert.match(message, /^Carteiro does not deliver to http:\/\/127\.0\.0\.1:\d+\/\S+\. Set n8n's N8N_WEBHOOK_URL /)
      assert.match(description, /unsafe_webhook_url/)
      return true
    })
    assert.deepEqual(hook.kept(), {})
  } finally {
    await hook.close()
  }
})

test("the sandbox answers what a workflow begins with, and a sample of every event", async () => {
  const [quickstart] = await items("sandbox", "getQuickstart", {})
  assert.equal(quickstart.sender.phone_number_id, product.phoneNumberId)
  const types = stage.nodeTypes
    .getByNameAndVersion("n8n-nodes-carteiro.carteiroTrigger", 1)
    .description.properties.find(({ name }) => name === "events")
    .options.map(({ value }) => value)
  for (const eventType of types) {
    const [sample] = await items("sandbox", "getSampleEvent", { eventType })
    assert.equal(sample.type, eventType)
  }
})
