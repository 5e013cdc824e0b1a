import { strict as assert } from "node:assert"
import type { Page } from "playwright-core"
import { type Hand, handAt } from "../Hand.ts"
import type { Scene } from "../Scene.ts"

/** What a job does, from the overview on that it stands at. */
type Job = (hand: Hand, on: Page) => Promise<void>

const maria = "+5511987650001"
const reference = "pedido-1042"
const wide = { width: 1440, height: 900 } as const

/**
 * The ten jobs that people come for, each from the overview on, without a guide and, but for a file, without a script: at most so many clicks
 * and forms sent by Enter. The first is a newcomer's; the others find things that `beforehand` makes.
 */
export const tenJobs = async (scene: Scene): Promise<void> => {
  const { browser, dev, hooks, main, page, steps, until } = scene
  await page.setViewportSize(wide)
  const menu = (name: string, on = page) =>
    on.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true })
  const link = (name: string | RegExp, on = page) => on.getByRole("main").getByRole("link", { name }).first()
  const button = (name: string | RegExp, on = page) => on.getByRole("button", { name })
  const finder = page.getByLabel("Find anything")

  const job = (name: string, most: number, work: Job, on = page) =>
    steps.step(`${name}, in at most ${most} clicks`, async () => {
      await on.goto("/dashboard")
      const hand = handAt(on)
      await work(hand, on)
      process.stdout.write(`        ${hand.count()} of ${most}: ${name}\n`)
      assert.ok(hand.count() <= most, `it took ${hand.count()}`)
    })

  await job("a first message is sent", 3, async (hand) => {
    await hand.go(link("Open the chat"))
    await page.getByLabel("Write as the customer").fill("Bom dia! Vocês abrem hoje?")
    await hand.go(button("Send as the customer"))
    assert.match(await main(), /Vocês abrem hoje\?/)
    await page.getByLabel("Text of the business").fill("Bom dia! Até as 18 h.")
    await hand.go(button("Send as the business"))
    assert.match(await main(), /Até as 18 h\./)
  })

  let failing = ""
  await steps.step("a shop has customers, a payment, and an endpoint that its receiver failed", async () => {
    failing = await beforehand(scene)
  })

  await job("a chat is answered", 2, async (hand) => {
    await hand.go(menu("Chat"))
    await page.getByLabel("Text of the business").fill("Fazemos, em 30 dias.")
    await hand.go(button("Send as the business"))
    assert.match(await main(), /Fazemos, em 30 dias\./)
  })

  await job("a template is sent as a test", 6, async (hand) => {
    await hand.go(menu("Templates"))
    await hand.go(link(/^welcome/))
    await hand.go(link("Send a test"))
    await page.getByLabel("Your phone number").fill("11 98765-0099")
    await hand.go(button("Send the test"))
    assert.match(await main(), /The test is on its way/)
  })

  // A file is read by a script; without one its rows are pasted.
  const context = await browser.newContext({ baseURL: dev.base_url, viewport: wide })
  await context.addCookies(await page.context().cookies())
  await job(
    "a batch of 500 rows from a file is started",
    6,
    async (hand, on) => {
      const rows = Array.from({ length: 500 }, (_, n) => `(11) 96${String(n).padStart(3, "0")}-1234;Cliente ${n}`)
      await hand.go(menu("Batches", on))
      await hand.go(link("Start a batch", on))
      await hand.choose(on.getByLabel("Template", { exact: true }), "welcome, pt_BR")
      await hand.file(on.getByLabel("File of the list"), "clientes.csv", ["telefone;nome", ...rows].join("\r\n"))
      await on.getByText("clientes.csv").first().waitFor()
      await hand.go(button("See who gets it", on))
      assert.equal(await on.getByLabel("Column B: nome").inputValue(), "variable.1", "it is proposed")
      assert.match(await on.locator("main").innerText(), /Get the message\s+500/)
      await hand.go(button("Start the batch", on))
      assert.match(await on.locator("main").innerText(), /Accepted\. Its messages leave at the pace of the number\./)
    },
    await context.newPage()
  )
  await context.close()

  await job("an endpoint is connected", 4, async (hand) => {
    await hand.go(menu("Webhooks"))
    await hand.go(link("Add an endpoint"))
    await hand.send(page.getByLabel("URL"), `${hooks}/well`)
    assert.match(await main(), /Endpoint added/)
    await hand.go(link("To the endpoint"))
    assert.match(await main(), /active/)
  })

  await job("an endpoint that was disabled is recovered", 2, async (hand) => {
    await hand.go(link("Recover it"))
    assert.ok(page.url().endsWith(failing), page.url())
    await hand.go(button(/^Test, enable and deliver/))
    await until(/Each of the \d+ events/)
  })

  await job("a customer is found", 1, async (hand) => {
    await hand.send(finder, "98765-0001")
    assert.match(page.url(), /\/dashboard\/contacts\/env_/)
  })

  await job("a customer is opted out", 3, async (hand) => {
    await hand.send(finder, maria)
    await hand.go(link("Opt out…"))
    await hand.go(button("Opt the customer out"))
    assert.match(await main(), /Opted out\. Nothing is sent/)
  })

  // One who never wrote is no contact to be found.
  await job("a stranger is opted out", 4, async (hand) => {
    await hand.go(menu("Contacts"))
    await hand.go(link("Opt a customer out…"))
    await hand.send(page.getByLabel("Phone of the customer"), "11 94444-1212")
    assert.match(await main(), /\+55 11 94444-1212 · Brazil[\s\S]*None yet/)
    await hand.go(button("Opt the customer out"))
    assert.match(await main(), /Opted out\. Nothing is sent/)
  })

  await job("a key is made", 4, async (hand) => {
    await hand.go(menu("API keys"))
    const name = page.getByLabel("Name", { exact: true })
    await name.fill("Loja")
    await hand.go(button("Messaging"))
    await hand.send(name, await name.inputValue())
    assert.match(await page.getByLabel("API key").inputValue(), /^svc_sbx_/)
  })

  await job("a payment is found", 2, async (hand) => {
    await hand.send(finder, reference)
    assert.match(page.url(), /\/dashboard\/payments\/env_/)
    assert.match(await main(), /R\$ 189,90/)
  })
}

type Calls = Pick<Scene, "call" | "dev" | "key">

const made = async ({ call, key }: Calls, path: string, body: object) => {
  let answer = await call("POST", path, { key, body })
  // A sandbox simulates so many messages a second.
  while (answer.status === 429) answer = await call("POST", path, { key, body })
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

const writeIn = async (calls: Calls, text: string): Promise<void> => {
  const to = calls.dev.sandbox.phone_number_id
  const body = { channel: "chatapp", from: maria, to, type: "text", text: { body: text } }
  await made(calls, "/v1/sandbox/inbound-messages", body)
}

/** Makes what the jobs find; returns the id of the endpoint that was disabled after failures. */
const beforehand = async (scene: Scene): Promise<string> => {
  const { call, hooks, key } = scene
  const payment = { amount_brl_centavos: 18_990, external_reference: reference, description: "Pedido 1042" }
  await made(scene, "/v1/payments", payment)
  const subscribed_events = ["message.received"]
  const endpoint = await made(scene, "/v1/webhook-endpoints", { url: `${hooks}/moody`, subscribed_events })
  for (let n = 0; n < 20; n++) await writeIn(scene, `Olá ${n}`)
  const read = () => call("GET", `/v1/webhook-endpoints/${String(endpoint.id)}`, { key })
  const again = { status: "pending", event_type: "message.received", limit: 100 }
  for (const begun = Date.now(); (await read()).body.status === "active"; ) {
    assert.ok(Date.now() - begun < 60_000, "twenty failures never disabled it")
    await call("POST", "/v1/webhook-events/bulk-resend", { key, body: again })
  }
  await writeIn(scene, "Chegou o meu pedido?")
  await fetch(`${hooks}/moody/up`)
  return String(endpoint.id)
}
