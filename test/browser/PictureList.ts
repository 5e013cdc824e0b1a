/** The pages of the gallery, in its order, by the name of their pictures. */
export const pictured = [
  "overview",
  "chat",
  "messages",
  "message",
  "templates",
  "template-edit",
  "batch",
  "contacts",
  "contact",
  "payments",
  "payment",
  "pay",
  "billing",
  "webhooks",
  "outage",
  "delivery",
  "keys",
  "device",
  "sign-in",
  "docs"
] as const

/** A page that has pictures. */
export type Pictured = (typeof pictured)[number]

/** How each is taken: on a desk and on a phone, by day and by night. */
export const pictureViews = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
  { width: 375, height: 812, colorScheme: "light" },
  { width: 375, height: 812, colorScheme: "dark" }
] as const

/** Returns the name of a picture without its folder, such as `console-chat-375-dark.webp`. */
export const pictureName = (page: Pictured, { colorScheme, width }: (typeof pictureViews)[number]): string =>
  `console-${page}-${width}-${colorScheme}.webp`

/** The most bytes that a picture may have. */
export const mostPictureBytes = 64_000
