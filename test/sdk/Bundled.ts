import { rolldown } from "rolldown"

/** Returns the one minified file that a bundler makes of an entry point. */
export const bundled = async (input: string): Promise<string> => {
  const bundle = await rolldown({ input, platform: "neutral", logLevel: "silent" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  return output[0].code
}
