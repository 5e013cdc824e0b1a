import { mkdir, open, rename } from "node:fs/promises"
import { join } from "node:path"
import type { Email, MailDelivery, MailResult } from "@carteiro/provider/MailSender.ts"
import { Effect } from "effect"
import { composed } from "./Mail.ts"

/**
 * Stores e-mails as files of a folder, `<id>.eml` each; a repeated one is one file. Boot contract, `CARTEIRO_SMTP_URL`
 */
export const makeSpoolMail = (options: { readonly folder: string; readonly from: string }): MailDelivery => {
  // Loaded with the first e-mail: most development servers never send one.
  const message = (email: Email) =>
    import("nodemailer").then(({ createTransport }) =>
      createTransport({ streamTransport: true, buffer: true, newline: "unix" }).sendMail(composed(email, options.from))
    )
  const store = async (id: string, bytes: Buffer) => {
    const path = join(options.folder, `${id}.eml`)
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const file = await open(`${path}.part`, "w", 0o600)
    await file
      .writeFile(bytes)
      .then(() => file.sync())
      .finally(() => file.close())
    await rename(`${path}.part`, path)
  }
  return {
    send: (email) =>
      Effect.match(
        Effect.tryPromise({
          try: () => message(email).then((sent) => store(email.id, sent.message as Buffer)),
          catch: (error): MailResult => ({
            _tag: "Failed",
            reason: (error as NodeJS.ErrnoException).code ?? "unknown"
          })
        }),
        { onFailure: (result) => result, onSuccess: (): MailResult => ({ _tag: "Sent" }) }
      )
  }
}
