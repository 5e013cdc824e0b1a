import type { SentRequest } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import { shellWord } from "../../html/ShellWord.ts"
import { type Html, html } from "../kit/Html.ts"

/** How to verify one delivery, in three languages, with its own headers and bytes. A-SIG-07..12 */
export interface Verification {
  readonly shell: string
  readonly typescript: string
  readonly python: string
}

/**
 * Returns the code that verifies both signatures of a request; the secrets come from the reader's own environment.
 * Undefined for a request without signatures, as of an endpoint that was deleted.
 */
export const verificationOf = ({ headers, raw_body: rawBody }: SentRequest): Verification | undefined => {
  const id = headers["svc-webhook-id"]
  const timestamp = headers["svc-webhook-timestamp"]
  const signature = headers["svc-webhook-signature"]
  const standard = headers["webhook-signature"]
  if (signature === undefined || standard === undefined) return undefined
  const save =
    rawBody === null
      ? "# Parts of the body are masked here: save the bytes that your receiver got as body.json."
      : `# The body as it was sent, byte for byte\nprintf '%s' ${shellWord(rawBody)} > body.json`
  const shell = `${save}

# svc-webhook-signature; SECRET is the signing_secret of the endpoint
printf '%s.' ${timestamp} | cat - body.json | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1
# ${signature}

# webhook-signature; STANDARD_SECRET is its standard_webhooks_secret
KEY=$(printf '%s' "\${STANDARD_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
printf '%s.%s.' ${id} ${timestamp} | cat - body.json | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64
# ${standard.replaceAll("v1,", "")}

# The same request to a receiver on your machine
curl http://127.0.0.1:3000/hook --data-binary @body.json \\
${Object.entries(headers)
  .map(([name, value]) => `  -H '${name}: ${value}'`)
  .join(" \\\n")}`
  const typescript = `import { readFile } from "node:fs/promises"
import { webhooks } from "@carteiro/sdk"

const headers = {
  "svc-webhook-id": "${id}",
  "svc-webhook-timestamp": "${timestamp}",
  "svc-webhook-signature": "${signature}",
  "webhook-id": "${id}",
  "webhook-timestamp": "${timestamp}",
  "webhook-signature": "${standard}"
}
// Either secret verifies it. A receiver leaves nowSeconds out: a delivery is good for 300 seconds.
const event = await webhooks.verify(await readFile("body.json"), headers, process.env.SECRET ?? "", {
  nowSeconds: ${timestamp}
})
console.log(event.type, event.id)`
  const python = `import base64, hashlib, hmac, os

raw_body = open("body.json", "rb").read()

# svc-webhook-signature; SECRET is the signing_secret of the endpoint
signed = hmac.new(os.environ["SECRET"].encode(), b"${timestamp}." + raw_body, hashlib.sha256).hexdigest()
print(hmac.compare_digest(signed, "${signature}"))

# webhook-signature; STANDARD_SECRET is its standard_webhooks_secret
key = base64.b64decode(os.environ["STANDARD_SECRET"].removeprefix("whsec_"))
digest = hmac.new(key, b"${id}.${timestamp}." + raw_body, hashlib.sha256).digest()
print("v1," + base64.b64encode(digest).decode() in "${standard}".split(" "))`
  return { shell, typescript, python }
}

/** How to verify one delivery, each language behind its name; the shell's makes the file that the others read. */
export const verifyParts = (verification: Verification): Html => {
  const languages = [
    ["curl and openssl", verification.shell],
    ["TypeScript", verification.typescript],
    ["Python", verification.python]
  ] as const
  return html`<p class="muted">Each delivery carries two signatures; verify one of them. Both are made again here with the endpoint's present secrets: a delivery of before a rotation was signed with others.</p>
${languages.map(
  ([name, code], index) =>
    html`<details id="verify-${index}"${index === 0 && html` open`}><summary>${name}</summary><pre tabindex="0">${code}</pre></details>`
)}`
}
