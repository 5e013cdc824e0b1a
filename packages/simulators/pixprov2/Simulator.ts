import { type PixOptions, type PixSimulator, startPix } from "../pix/PixSimulator.ts"

/** Starts Pix provider 2 on loopback; port 0 takes any free one. */
export const startPixprov2 = (options: PixOptions, port = 0): Promise<PixSimulator> =>
  startPix(
    options,
    { path: "/v1/checkouts", operation: "checkout", hasModes: true, idPrefix: "chk_", noticeType: "checkout.updated" },
    () => ({ routes: [], close: () => {} }),
    port
  )
