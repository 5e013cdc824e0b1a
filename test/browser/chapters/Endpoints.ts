import { strict as assert } from "node:assert"
import { enter, tabTo, tick, typeInto } from "../Keys.ts"
import type { Scene } from "../Scene.ts"

/** An endpoint that is made, broken, recovered and deleted, by keyboard alone. */
export const endpoints = async (scene: Scene): Promise<void> => {
  const { browser, call, dev, environment, heading, hooks, key, main, page, steps, until, views } = scene
  const list = `/dashboard/webhooks?environment=${environment}`
  const receiver = { turn: (how: "up" | "down") => fetch(`${hooks}/moody/${how}`), url: `${hooks}/moody` }
  const taken = async () => (await (await fetch(`${hooks}/moody/taken`)).json()) as ReadonlyArray<string>
  let address = ""

  const write = async (count: number) => {
    const to = (dev.sandbox as { readonly phone_number_id?: string }).phone_number_id
    for (let n = 0; n < count; n++) {
      const body = { channel: "chatapp", from: "+5511977776666", to, type: "text", text: { body: `Oi ${n}` } }
      const ask = () => call("POST", "/v1/sandbox/inbound-messages", { key, body })
      let answer = await ask()
      // A sandbox simulates so many messages a second.
      while (answer.status === 429) answer = await ask()
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
    }
  }
  const endpointId = () => address.split("/").at(-1) ?? ""
  const status = async () => (await call("GET", `/v1/webhook-endpoints/${endpointId()}`, { key })).body.status

  await steps.step(
    "makes an endpoint with events chosen beside their examples, and shows its secrets once",
    async () => {
      await page.goto(list)
      await enter(page.getByRole("link", { name: "Add an endpoint" }))
      const form = new URL(page.url()).pathname
      const payments = page.locator("main summary", { hasText: "Payments" })
      const unfold = async () => {
        await tabTo(payments)
        await page.keyboard.press("Enter")
      }
      await unfold()
      await tabTo(page.getByText("Example of payment.paid"))
      await page.keyboard.press("Enter")
      assert.match(await main(), /"type": "payment\.paid"[\s\S]*"status": "paid"/)
      await typeInto(page.getByLabel("URL"), "http://10.0.0.1/hook")
      await enter(page.getByRole("button", { name: "Add the endpoint" }))
      assert.match(await main(), /The webhook URL must be https/)
      await typeInto(page.getByLabel("URL"), receiver.url)
      await typeInto(page.getByLabel("Description"), "Order service")
      await unfold()
      await tick(page.getByLabel("payment.cancelled"))
      await enter(page.getByRole("button", { name: "Add the endpoint" }))
      assert.equal(await heading(), "Endpoint added")
      assert.match(await page.locator("#secret").inputValue(), /^whsec_/)
      await enter(page.getByRole("link", { name: "To the endpoint" }))
      address = new URL(page.url()).pathname
      assert.match(await main(), /payment\.paid[\s\S]*payment\.cancelled/)
      await views.look("endpoint-new", form)
      await views.look("endpoint-edit", `${address}/edit`)
      await views.look("endpoint-rotate", `${address}/rotate`)
    }
  )

  await steps.step("sends a test event and shows how to verify it", async () => {
    await receiver.turn("up")
    await enter(page.getByRole("button", { name: "Send a test event" }))
    await until(/delivered/)
    assert.match(await main(), /How to verify this one[\s\S]*openssl dgst -sha256/)
    await views.look("delivery-test", new URL(page.url()).pathname)
  })

  await steps.step("tells what an endpoint missed since when and why once failures disabled it", async () => {
    await receiver.turn("down")
    await write(20)
    const body = { status: "pending", event_type: "message.received", limit: 100 }
    const begun = Date.now()
    while ((await status()) === "active") {
      assert.ok(Date.now() - begun < 60_000, "twenty failures never disabled it")
      await call("POST", "/v1/webhook-events/bulk-resend", { key, body })
    }
    await write(3)
    await page.goto(address)
    await until(/23 events were missed since/)
    assert.match(await main(), /Twenty deliveries in a row failed, the last one with 503 \(server error\)/)
    assert.match(await main(), /3 never sent, 20 failed for good/)
    await views.look("outage", address)
  })

  await steps.step("says that a receiver is still down, and leaves its endpoint disabled", async () => {
    await enter(page.getByRole("button", { name: "Test, enable and deliver 23 events" }))
    await until(/The test of [\s\S]* failed: 503 server error[\s\S]*stays disabled/)
    assert.equal(await status(), "disabled")
    assert.deepEqual(await taken(), [])
  })

  await steps.step("recovers it by one button with exactly the missed events, moving by itself", async () => {
    await receiver.turn("up")
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const live = await context.newPage()
    const complaints: Array<string> = []
    live.on("console", (message) => complaints.push(message.text()))
    live.on("pageerror", (error) => complaints.push(String(error)))
    await live.goto(address)
    await enter(live.getByRole("button", { name: "Test, enable and deliver 23 events" }))
    const loaded = await live.evaluate("performance.timeOrigin")
    await live.getByText(/Each of the 23 events that it missed/).waitFor({ timeout: 60_000 })
    assert.equal(await live.evaluate("performance.timeOrigin"), loaded)
    assert.deepEqual(complaints, [])
    await context.close()
    assert.equal(await status(), "active")
    const events = await taken()
    assert.equal(events.length, 23)
    assert.equal(new Set(events).size, 23)
    await page.goto(address)
    assert.match(await main(), /Each of the 23 events/)
    await views.look("recovered", address)
  })

  await steps.step("deletes it once its name was typed", async () => {
    await enter(page.getByRole("link", { name: "Delete…" }))
    await typeInto(page.getByLabel("Type Order service to confirm"), "Order")
    await enter(page.getByLabel("Type Order service to confirm"))
    assert.match(await main(), /That is not Order service/)
    await views.look("endpoint-delete", `${address}/delete`)
    await typeInto(page.getByLabel("Type Order service to confirm"), "Order service")
    await enter(page.getByRole("button", { name: "Delete the endpoint" }))
    assert.match(await main(), /Nothing is sent to the endpoint any more/)
  })
}
