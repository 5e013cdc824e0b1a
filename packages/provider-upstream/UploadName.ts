/** Extensions by media type, the usual one first. */
const extensions: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>> = {
  "application/msword": ["doc"],
  "application/pdf": ["pdf"],
  "application/vnd.ms-excel": ["xls"],
  "application/vnd.ms-powerpoint": ["ppt"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "application/zip": ["zip"],
  "audio/aac": ["aac"],
  "audio/amr": ["amr"],
  "audio/mp4": ["m4a", "mp4"],
  "audio/mpeg": ["mp3"],
  "audio/ogg": ["ogg", "opus", "oga"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
  "image/webp": ["webp"],
  "text/csv": ["csv"],
  "text/plain": ["txt"],
  "video/3gpp": ["3gp"],
  "video/mp4": ["mp4"]
}

/** The longest name before its extension. */
const mostStem = 200

/**
 * Returns the name of an upload, with an extension that fits its media type: the platform judges a file by both.
 * U-SND-02
 */
export const uploadName = (filename: string | null, mediaType: string): string => {
  const known = extensions[(mediaType.split(";")[0] ?? "").trim().toLowerCase()]
  const name = filename?.trim() || "file"
  const dot = name.lastIndexOf(".")
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : ""
  if (known === undefined || known.includes(extension)) return name
  // Only a short ending without blanks is an extension: "Ata 12. reunião" keeps its whole name.
  const stem = /^[a-z0-9]{1,8}$/.test(extension) ? name.slice(0, dot) : name
  return `${stem.slice(0, mostStem)}.${known[0]}`
}
