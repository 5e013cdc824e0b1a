import { Option } from "commander"
import { type Declare, examples } from "../shell/Commands.ts"
import type { UploadOptions } from "./Upload.ts"

/** Files of the media library. */
export const mediaCommands: Declare = (parent, shellOf) => {
  const media = parent.command("media").description("files to send")
  const upload = media
    .command("upload")
    .argument("<file>", "a file on this machine")
    .description("upload a file and print its id")
    .addOption(new Option("--kind <kind>", "sort of file").choices(["image", "document", "audio", "video", "sticker"]))
    .option("--mime-type <type>", "media type; read from the name when left out")
    .option("--single-use", "gone after one send or 24 hours; otherwise it stays in the library")
    .action(async (file: string, options: UploadOptions, command) =>
      (await import("./Upload.ts")).upload(shellOf(command), file, options)
    )
  examples(upload, "media upload menu.pdf", "media upload voice.ogg --single-use")
}
