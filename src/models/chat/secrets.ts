/** Header values shorter than this are no secrets, and words of messages would vanish with them. */
const shortestSecret = 8

/** Takes secrets out of a text, in the forms in which a server may echo them. */
export type Redact = (text: string) => string

/** @param values Keys, and header or query values that may be keys. */
export function redactor(apiKey: string | undefined, values: Iterable<string>): Redact {
  const secrets = new Set<string>(apiKey === undefined ? [] : [apiKey])
  for (const value of values) {
    // `Bearer abc` is a secret as a whole, and so is `abc`.
    for (const part of [value, value.slice(value.indexOf(' ') + 1)])
      if (part.length >= shortestSecret) secrets.add(part)
  }
  const forms = [...secrets].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ])
  // The longest first: one secret may be part of another.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, '[redacted]'), text)
}
