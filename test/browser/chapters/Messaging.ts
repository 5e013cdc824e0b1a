/// <reference lib="dom" />
import { strict as assert } from "node:assert"
import { choose, enter, tabTo, tick, typeInto } from "../Keys.ts"
import { press, type Scene } from "../Scene.ts"

/** What was written to be approved, and what became of it. */
export const templates = async ({ call, environment, key, main, page, steps, views }: Scene): Promise<void> => {
  await steps.step("shows templates with their versions and review (M-TPL)", async () => {
    const components = [
      { type: "HEADER", format: "TEXT", text: "Seu pedido" },
      { type: "BODY", text: "Olá {{1}}, saiu para entrega.", example: { body_text: [["Maria"]] } },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Obrigado" }] }
    ]
    const name = `pedido_${"muito_".repeat(12)}longo`
    const body = { name, language: "pt_BR", category: "utility", components }
    const made = await call("POST", "/v1/templates", { key, body })
    assert.equal(made.status, 201)
    await call("POST", `/v1/templates/${made.body.id}/submit`, { key })
    await call("POST", `/v1/sandbox/templates/${made.body.id}/status`, {
      key,
      body: { status: "rejected", rejection_reason: "O texto <promete> demais." }
    })
    await views.look("templates", `/dashboard/templates?environment=${environment}`)
    await page.goto(`/dashboard/templates?environment=${environment}&status=rejected`)
    await page.getByRole("link", { name }).click()
    assert.match(await main(), /O texto <promete> demais\.[\s\S]*Olá \{\{1\}\}, saiu para entrega\.[\s\S]*rejected/)
    await views.look("template", new URL(page.url()).pathname)
  })
}

/** A template that is written beside what it looks like, refused, mended and reviewed, by keyboard alone. */
export const writtenTemplate = async (scene: Scene): Promise<void> => {
  const { browser, dev, environment, page, steps, until, views } = scene
  await steps.step("writes a template with a preview that follows what is typed, and reads its review", async () => {
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const desk = await context.newPage()
    const complaints: Array<string> = []
    desk.on("pageerror", (error) => complaints.push(String(error)))
    const take = (role: "button" | "link", name: string) => enter(desk.getByRole(role, { name }))
    const type = (label: string, text: string) => typeInto(desk.getByLabel(label, { exact: true }), text)
    await desk.goto(`/dashboard/templates?environment=${environment}`)
    await take("link", "Write a template")
    const form = new URL(desk.url()).pathname
    await type("Name", "pickup_ready")
    await type("Text", "Ola {{1}}, seu pedido chegou.")
    await desk.getByLabel("Example of {{1}}").waitFor()
    await type("Example of {{1}}", "Maria")
    await desk.locator("#look").getByText("Ola Maria, seu pedido chegou.").waitFor()
    await desk.locator("#count-body").getByText("29 of 1024 characters.").waitFor()
    await type("Header (optional)", "Loja {{3}}")
    await take("button", "Save and submit for review")
    assert.match(await desk.locator("#header-error").innerText(), /Variables from \{\{1\}\} on without gaps/)
    await type("Header (optional)", "Loja")
    await take("button", "Save and submit for review")
    assert.match(await desk.locator("main").innerText(), /Handed in\. This page shows how its review ends/)
    const made = new URL(desk.url()).pathname
    await context.close()
    assert.deepEqual(complaints, [])
    await page.goto(made)
    await until(/approved version 1/)
    await views.look("template-new", form)
    await views.look("template-edit", `${made}/edit`)
  })
}

/** One template to many, watched until all of them have read it. */
export const batches = async ({ call, dev, environment, key, main, page, steps, views }: Scene): Promise<void> => {
  await steps.step("shows batches with progress that moves by itself, without a script (M-BAT)", async () => {
    const number = (dev.sandbox as { readonly phone_number_id?: string }).phone_number_id
    const body = {
      sender: { type: "chatapp_phone_number", id: number },
      name: "Campanha de maio",
      template: { name: "welcome", language: "pt_BR" },
      recipients: Array.from({ length: 40 }, (_, n) => ({
        to: `+55119${String(61_000_000 + n)}`,
        variables: { "1": `Cliente ${n}` }
      }))
    }
    const made = await call("POST", "/v1/batches", { key, body })
    assert.equal(made.status, 202, JSON.stringify(made.body))
    await page.goto(`/dashboard/batches/${environment}/${made.body.id}`)
    assert.match(await main(), /moves by itself/)
    // Nobody reloads: the page does.
    await page.locator("#state").getByText("completed").waitFor({ timeout: 60_000 })
    await page.goto(`/dashboard/batches/${environment}/${made.body.id}?still=1`)
    assert.match(await main(), /40 of 40/)
    await views.look("batch", `/dashboard/batches/${environment}/${made.body.id}?still=1`)
    await views.look("batch-failures", `/dashboard/batches/${environment}/${made.body.id}?still=1&show=failed`)
    await views.look("batches", `/dashboard/batches?environment=${environment}&status=completed`)
    await page.goto(`/dashboard/batches?environment=${environment}&status=failed`)
    assert.match(await main(), /Nothing here is like this/)
  })

  await steps.step("cancels a batch once its name was typed, and tells who did it", async () => {
    const body = {
      sender: { type: "chatapp_phone_number", id: dev.sandbox.phone_number_id },
      name: "Campanha de julho",
      template: { name: "welcome", language: "pt_BR" },
      recipients: [{ to: "+5511961000000", variables: { "1": "Maria" } }],
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString()
    }
    const made = await call("POST", "/v1/batches", { key, body })
    assert.equal(made.status, 202, JSON.stringify(made.body))
    await page.goto(`/dashboard/batches/${environment}/${made.body.id}/cancel`)
    await page.getByLabel("Type Campanha de julho to confirm").fill("Campanha de maio")
    await press(page.getByRole("button", { name: "Cancel the batch" }))
    assert.match(await main(), /That is not Campanha de julho\./)
    await views.look("batch-cancel", new URL(page.url()).pathname.replace(/command$/, "cancel"))
    await page.getByLabel("Type Campanha de julho to confirm").fill("Campanha de julho")
    await press(page.getByRole("button", { name: "Cancel the batch" }))
    assert.match(await main(), /Cancelled[\s\S]*, in the console\./)
  })
}

/** A batch from a file, looked at before it starts. */
export const writtenBatch = async ({
  browser,
  call,
  dev,
  environment,
  key,
  page,
  steps,
  views
}: Scene): Promise<void> => {
  await steps.step("starts a batch from a CSV file after a look at who gets it, by keyboard alone", async () => {
    const phone = (n: number) => `+55119${String(62_000_000 + n)}`
    await call("POST", "/v1/contacts/opt-out", { key, body: { phone: phone(1) } })
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const desk = await context.newPage()
    const complaints: Array<string> = []
    desk.on("console", (message) => complaints.push(message.text()))
    desk.on("pageerror", (error) => complaints.push(String(error)))
    const take = (role: "button" | "link", name: string) => enter(desk.getByRole(role, { name }))
    await desk.goto(`/dashboard/batches?environment=${environment}`)
    await take("link", "Start a batch")
    const form = new URL(desk.url()).pathname
    await choose(desk.getByLabel("Template", { exact: true }), "welcome, pt_BR")
    await typeInto(desk.getByLabel("Name (optional)"), "Campanha de junho")
    const rows = [`${phone(0)};Maria`, "123;João", `${phone(1)};Rui`, `${phone(2)};Ana`]
    const buffer = Buffer.from(["\ufeffto;1", ...rows].join("\r\n"))
    await tabTo(desk.getByLabel("File of the list"))
    await desk.getByLabel("File of the list").setInputFiles({ name: "clientes.csv", mimeType: "text/csv", buffer })
    await desk.getByText("clientes.csv: read when you look at who gets it").waitFor()
    await take("button", "See who gets it")
    const ahead = await desk.locator("main").innerText()
    assert.match(ahead, /Get the message\s+2\s+Held back\s+1\s+Rows that cannot be sent\s+1/)
    assert.match(ahead, /123\s[\s\S]*Brazil has no such number[\s\S]*Olá, Maria![\s\S]*opted out/)
    await tick(desk.getByLabel("Leave out the rows that cannot be sent"))
    await take("button", "Start the batch")
    assert.match(await desk.locator("main").innerText(), /Accepted\. Its messages leave at the pace of the number\./)
    await desk.locator("#state").getByText("completed").waitFor({ timeout: 60_000 })
    assert.match(await desk.locator("main").innerText(), /2\s*Sent[\s\S]*contact_opted_out/)
    await context.close()
    assert.deepEqual(complaints, [])
    await views.look("batch-new", form)
  })
}

/** Files and what they take up. */
export const media = async ({ call, environment, key, main, page, steps, views }: Scene): Promise<void> => {
  await steps.step("shows what media take up, and the files (M-MED)", async () => {
    const filename = `${"catálogo-".repeat(20)}2026.pdf`
    const body = {
      kind: "document",
      lifecycle: "library",
      filename,
      mime_type: "application/pdf",
      byte_length: 5_000_000
    }
    const made = await call("POST", "/v1/media/uploads", { key, body })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    await page.goto(`/dashboard/media?environment=${environment}`)
    assert.match(await main(), /4\.8 MiB of 1\.0 GiB used[\s\S]*catálogo-[\s\S]*pending/)
    await views.look("media", `/dashboard/media?environment=${environment}`)
  })
}

/** Customers and what they chose. */
export const contacts = async ({ call, environment, key, main, page, steps, views }: Scene): Promise<void> => {
  await steps.step("shows contacts with their consent, and leads to their messages (gaps-2 I)", async () => {
    const phone = "+5511988887777"
    const choice = { phone, source: "loja", reason: "pediu no balcão", metadata: { plano: "ouro" } }
    assert.equal((await call("POST", "/v1/contacts/opt-out", { key, body: choice })).status, 200)
    await views.look("contacts", `/dashboard/contacts?environment=${environment}`)
    await page.goto(`/dashboard/contacts?environment=${environment}`)
    await page.getByRole("search", { name: "Filters" }).getByLabel("Consent").selectOption("opted_out")
    await press(page.getByRole("button", { name: "Show" }))
    await page.getByRole("link", { name: "+55 11 98888-7777" }).click()
    assert.match(await main(), /opted out[\s\S]*pediu no balcão/)
    await views.look("contact", new URL(page.url()).pathname)
    await page.getByRole("link", { name: "Messages to this customer" }).click()
    assert.match(await main(), /Recebemos: Bom dia!/)
  })
}
