import { strict as assert } from "node:assert"
import { press, type Scene, untilIs } from "../Scene.ts"

const section = "/dashboard/payments"

/** Payments: a payer at the sandbox page and at that of a Pix code, and how the dashboard shows and changes them. */
export const payments = async ({ call, dev, environment, key, main, page, steps, views }: Scene): Promise<void> => {
  const { pixprov2 = "" } = dev.simulators as { readonly pixprov2?: string }
  const production = dev.production
  /** Reads a payment until it is so: links and outcomes come behind answers. */
  const paymentIs = (who: string, id: string, status: string) =>
    untilIs({ call, key: who }, `/v1/payments/${id}`, (read) => {
      assert.equal(read.error, undefined)
      return read.status === status
    })
  const create = async (who: string, body: object) => {
    const made = await call("POST", "/v1/payments", { key: who, body: { amount_brl_centavos: 12_550, ...body } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const linked = await paymentIs(who, String(made.body.id), "link_generated")
    return { id: String(made.body.id), link: String(linked.payment_link_url) }
  }

  await steps.step("a payer pays on the page of a sandbox payment (gaps-3 C)", async () => {
    const { id, link } = await create(key, { description: "Two tickets" })
    await views.look("sandbox-pay", new URL(link).pathname)
    await page.goto(link)
    assert.match(await main(), /R\$ 125,50/)
    await press(page.getByRole("button", { name: "Pay" }))
    assert.match(await main(), /Paid\. You can close this page\./)
    await paymentIs(key, id, "paid")
  })

  await steps.step("another one fails there", async () => {
    const { id, link } = await create(key, {})
    await page.goto(link)
    await press(page.getByRole("button", { name: "Fail" }))
    assert.match(await main(), /failed/)
    await paymentIs(key, id, "failed")
  })

  await steps.step("a payer pays the Pix code of a production payment from a bank's app (C-PAY-25)", async () => {
    const options = {
      provider_options: { pixprov2: { mode: "transparent_pix" } },
      description: "Subscription",
      customer_email: "ana@example.com"
    }
    const { id, link } = await create(production.api_key, options)
    assert.equal(new URL(link).origin, new URL(dev.base_url).origin)
    await views.look("pix-pay", new URL(link).pathname)
    await page.goto(link)
    assert.equal(await page.getByAltText("QR code of the Pix payment").count(), 1)
    const code = await page.getByLabel("Pix code to copy").inputValue()
    await page.goto(`${pixprov2}/bank`)
    await page.getByLabel("Pix code").fill(code)
    await press(page.getByRole("button", { name: "Continue" }))
    await press(page.getByRole("button", { name: "Pay" }))
    await paymentIs(production.api_key, id, "paid")
    await page.goto(link)
    assert.match(await main(), /Paid\. You can close this page\./)
    await page.goto(`${section}/${production.environment_id}/${id}`)
    assert.match(await main(), /R\$ 1,2550 charged/)
    await views.look("payment", `${section}/${production.environment_id}/${id}`)
  })

  await steps.step("creates a payment on the screen, and finds the link for its customer (C-PAY-16)", async () => {
    await page.goto(`${section}?environment=${environment}`)
    await page.getByRole("link", { name: "New payment" }).first().click()
    await views.look("new-payment", new URL(page.url()).pathname)
    await page.getByLabel("Amount in reais").fill("89,90")
    await page.getByLabel("What it is for").fill("Coat")
    await page.getByLabel("Customer's phone (optional)").fill("11 91234-5678")
    await press(page.getByRole("button", { name: "Create the payment" }))
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    await paymentIs(key, id, "link_generated")
    await page.goto(`${section}/${environment}/${id}`)
    await page.goto(await page.getByLabel(/^Send it by chat or e-mail/).inputValue())
    assert.match(await main(), /R\$ 89,90/)
  })

  await steps.step(
    "finds a payment by its reference, asks for its approval and cancels it (C-PAY-32, C-PCAN-03)",
    async () => {
      const { id } = await create(key, { external_reference: "order-77", description: "Order 77" })
      await page.goto(`${section}?environment=${environment}`)
      await views.look("payments", `${section}?environment=${environment}`)
      await page.getByLabel("Payer, amount, reference or id").fill("order-77")
      await press(page.getByRole("button", { name: "Show" }))
      await page.getByRole("link", { name: "Order 77" }).click()
      await page.getByText("Request approval…").click()
      await page.getByLabel("Note for who approves").fill("Please look")
      await press(page.getByRole("button", { name: "Request approval", exact: true }))
      assert.match(await main(), /approval requested/i)
      await page.getByRole("link", { name: "Cancel…" }).click()
      await page.getByLabel("Type order-77 to confirm").fill("order-77")
      await press(page.getByRole("button", { name: "Cancel the payment" }))
      await paymentIs(key, id, "cancelled")
      await page.goto(`${section}/${environment}/${id}`)
      assert.match(await main(), /given back/)
    }
  )

  await steps.step("shows what customers let agents pay, and revokes one", async () => {
    const asked = { bank_id: "sbbank_alpha", customer_name: "Ana Souza", customer_tax_id: "12345678909" }
    const body = { ...asked, max_amount_brl_centavos: 50_000 }
    await call("POST", "/v1/agentic/authorizations", { key, body })
    const list = `/dashboard/agentic-authorizations?environment=${environment}`
    await page.goto(list)
    await views.look("agentic", list)
    await page.getByRole("link", { name: "Ana Souza" }).click()
    await views.look("authorization", new URL(page.url()).pathname)
    await page.getByRole("link", { name: "Revoke…" }).click()
    await page.getByLabel("Type Ana Souza to confirm").fill("Ana Souza")
    await press(page.getByRole("button", { name: "Revoke" }))
    assert.match(await main(), /revoked/)
  })
}
