import { type Environment, SETTINGS, type Setting } from '../config/settings-table.ts'

/**
 * The value of every setting in this environment, as Markdown. Of a secret it says only whether it is set. The settings that an
 * agreement with employees should name are marked.
 */
export function settingsInUse(env: Environment): string[] {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const value = valueText(setting, env[name as keyof Environment])
    return `| \`${name}\` | ${value} | ${setting.needsAgreement ? 'yes' : ''} |`
  })
  return ['| Setting | Value | A change needs the agreement |', '|---|---|---|', ...rows]
}

function valueText({ isSecret, default: byDefault, without }: Setting, value: string | undefined): string {
  if (!value) return byDefault === undefined ? `not set: ${without}` : `${asCode(byDefault)}, by default`
  return isSecret ? 'set' : asCode(value)
}

/** In a cell of a table: without characters that would end the code, the cell or the row. */
function asCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')}\``
}
