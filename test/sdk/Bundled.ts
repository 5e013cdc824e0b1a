import { rolldown } from "rolldown"

/** Returns the one minified file that a bundler makes of an entry point: a module, or a script that sets the variable `sdk`. */
export const bundled = async (input: string, format: "esm" | "iife" = "esm"): Promise<string> => {
  const bundle = await rolldown({ input, platform: "neutral", logLevel: "silent" })
  const { output } = await bundle.generate({ format, name: "sdk", minify: true })
  await bundle.close()
  return output[0].code
}
