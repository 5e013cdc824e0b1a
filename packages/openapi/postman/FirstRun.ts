/** One request of the first run: the operation, and its body where the example of the description is not enough. */
interface FirstRequest {
  readonly operation: string
  readonly body?: string
}

const json = (value: object): string => JSON.stringify(value, null, 2)

const openingHours = "Segunda a sexta, das 9 às 18 horas.\n"

/** Unlike ids, a name must not repeat: Postman makes another text of this for each run. */
const unused = "{{$timestamp}}"

/**
 * The requests that a new sandbox key can send one after the other, with no other preparation: each needs only what the ones
 * before have answered, and all answer with a success. The last one leaves no endpoint behind that the sandbox would call.
 */
export const firstRequests: ReadonlyArray<FirstRequest> = [
  { operation: "account.get" },
  { operation: "sandbox.quickstart" },
  { operation: "phoneNumbers.get" },
  { operation: "sandbox.simulateInbound" },
  { operation: "messages.typing" },
  { operation: "messages.send" },
  { operation: "messages.get" },
  { operation: "messages.list" },
  { operation: "contacts.optIn" },
  { operation: "contacts.get" },
  {
    operation: "templates.create",
    body: json({
      name: `order_shipped_${unused}`,
      language: "pt_BR",
      category: "utility",
      components: [
        { type: "BODY", text: "Olá {{1}}, seu pedido está a caminho.", example: { body_text: [["Maria"]] } },
        { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Obrigado" }] }
      ]
    })
  },
  { operation: "templates.submit" },
  { operation: "templates.get" },
  { operation: "audiences.create" },
  { operation: "batches.create" },
  { operation: "batches.recipients" },
  {
    operation: "media.uploads.create",
    body: json({
      kind: "document",
      lifecycle: "library",
      filename: "opening-hours.txt",
      mime_type: "text/plain",
      byte_length: new TextEncoder().encode(openingHours).length
    })
  },
  { operation: "media.blobs.put", body: openingHours },
  { operation: "media.complete" },
  { operation: "media.get" },
  { operation: "payments.create" },
  { operation: "payments.get" },
  { operation: "webhooks.endpoints.create" },
  { operation: "webhooks.events.list" },
  { operation: "webhooks.endpoints.delete" }
]

/** The script behind each request of the first run, whose outcome a runner shows and counts. */
export const successScript: ReadonlyArray<string> = [
  'pm.test("answers with a success", () => pm.expect(pm.response.code).to.be.within(200, 299))'
]
