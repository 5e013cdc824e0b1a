import { blockOf } from "@carteiro/guides/Guides.ts"
import { shellWord } from "@carteiro/html/ShellWord.ts"
import type { SentRequest } from "@carteiro/schema/webhooks/DeliveryLogApi.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"

/** How to verify one delivery with its own headers and bytes, and when it was sent, in epoch seconds. */
interface Verification {
  readonly shell: string
  readonly typescript: string
  readonly timestamp: string
}

/** Languages whose programs stand in the guide of webhooks: the name, that of its blocks, the file, and how to run it. */
const languages = [
  ["Python", "py", "verify.py", "python3 verify.py"],
  ["PHP", "php", "verify.php", "php verify.php"],
  ["Go", "go", "verify.go", "go run verify.go"],
  ["Ruby", "rb", "verify.rb", "ruby verify.rb"],
  ["Java", "java", "Verify.java", "java Verify.java"],
  ["C#", "cs", "verify.cs", "mcs verify.cs && mono verify.exe"]
] as const

/** A program that verifies a delivery saved in two files. */
interface VerifyProgram {
  readonly name: string
  readonly file: string
  readonly run: string
  readonly source: string
}

/** Returns the programs of the guide of webhooks; none where the guides were left out of the installation. */
export const programsOf = (guide: string | undefined): ReadonlyArray<VerifyProgram> =>
  languages.flatMap(([name, fence, file, run]) => {
    const source = blockOf(guide ?? "", fence)
    return source === undefined ? [] : [{ name, file, run, source }]
  })

/**
 * Returns the code that verifies both signatures of a request; the secrets come from the reader's own environment.
 * Undefined for a request without signatures, as of an endpoint that was deleted.
 */
export const verificationOf = ({ headers, raw_body: rawBody }: SentRequest): Verification | undefined => {
  const id = headers["svc-webhook-id"]
  const timestamp = headers["svc-webhook-timestamp"]
  const signature = headers["svc-webhook-signature"]
  const standard = headers["webhook-signature"]
  if (timestamp === undefined || signature === undefined || standard === undefined) return undefined
  const save =
    rawBody === null
      ? "# Parts of the body are masked here: save the bytes that your receiver got as body.json."
      : `# The body as it was sent, byte for byte\nprintf '%s' ${shellWord(rawBody)} > body.json`
  const lines = Object.entries(headers).map(([name, value]) => shellWord(`${name}: ${value}`))
  const shell = `${save}
printf '%s\\n' ${lines.join(" \\\n  ")} > headers.txt

# svc-webhook-signature; SECRET is the signing_secret of the endpoint
printf '%s.' ${timestamp} | cat - body.json | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1
# ${signature}

# webhook-signature; STANDARD_SECRET is its standard_webhooks_secret
KEY=$(printf '%s' "\${STANDARD_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
printf '%s.%s.' ${id} ${timestamp} | cat - body.json | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64
# ${standard.replaceAll("v1,", "")}

# The same request to a receiver on your machine
curl http://127.0.0.1:3000/hook --data-binary @body.json -H @headers.txt`
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
  return { shell, typescript, timestamp }
}

/** How to verify one delivery, each language behind its name; the shell's makes the files that the others read. */
export const verifyParts = (verification: Verification, programs: ReadonlyArray<VerifyProgram>): Html => {
  const part = (index: number, name: Piece, shown: Html) =>
    html`<details id="verify-${index}"${index === 0 && html` open`}><summary>${name}</summary>${shown}</details>`
  const code = (source: string) => html`<pre tabindex="0">${source}</pre>`
  return html`<p class="muted">Each delivery carries two signatures; verify one of them. Both are made again here with the endpoint's present secrets: a delivery of before a rotation was signed with others.</p>
${part(0, say("curl and openssl"), code(verification.shell))}
${part(1, "TypeScript", code(verification.typescript))}
${programs.map(({ file, name, run, source }, index) =>
  part(
    index + 2,
    name,
    html`<p>Save it as ${html`<code>${file}</code>`} beside the files that the first part makes. ${html`<code>SECRET</code>`} is either secret, or both with a comma between them.</p>
<pre tabindex="0">${run} headers.txt body.json ${verification.timestamp}</pre>${code(source)}`
  )
)}`
}
