/** Languages in which people read pages and e-mails. */
export const languages = ["en", "pt"] as const

export type Language = (typeof languages)[number]

/** The language of a reader who wants none of them, or whose wish is not known. */
export const defaultLanguage: Language = "en"
