import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** An edit that a document shows: in `file`, the text `old` becomes `replacement`; an empty `old` is a new file. */
export type DocumentedEdit = { file: string; old: string; replacement: string }

/**
 * Returns the edits of a how-to page in order. A heading with a path in backticks names the file; "After" and "insert", or
 * "Replace" and "with", each followed by a code block, are an edit, and "Create" is one alone. Throws when a block has no
 * counterpart.
 */
export function parseEdits(markdown: string): DocumentedEdit[] {
  const edits: DocumentedEdit[] = []
  let file: string | undefined
  let pending: { keyword: string; old: string } | undefined
  const parts = markdown.matchAll(/^#+ .*`([^`]+)`$|^(After|insert|Replace|with|Create)\n\n```\w*\n([^]*?\n)```$/gm)
  for (const [, heading, keyword, code = ''] of parts) {
    if (heading !== undefined) file = heading
    else if (keyword === 'Create') {
      if (file === undefined || pending) throw new Error(`No place to create: ${code}`)
      edits.push({ file, old: '', replacement: code })
    } else if (keyword === 'After' || keyword === 'Replace') {
      if (pending) throw new Error(`No counterpart: ${pending.old}`)
      pending = { keyword, old: code }
    } else {
      const isInsertion = keyword === 'insert'
      if (file === undefined || pending?.keyword !== (isInsertion ? 'After' : 'Replace'))
        throw new Error(`No place to ${keyword}: ${code}`)
      edits.push({ file, old: pending.old, replacement: isInsertion ? pending.old + code : code })
      pending = undefined
    }
  }
  if (pending) throw new Error(`No counterpart: ${pending.old}`)
  return edits
}

/** Applies edits below a folder. Throws when the text to replace is missing or occurs more than once, and when a new file exists. */
export async function applyEdits(folder: string, edits: readonly DocumentedEdit[]): Promise<void> {
  for (const { file, old, replacement } of edits) {
    const target = path.join(folder, file)
    if (old === '') {
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, replacement, { flag: 'wx' })
      continue
    }
    const [before, after, ...others] = `\n${await readFile(target, 'utf8')}`.split(`\n${old}`)
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`${file} must contain these lines exactly once:\n${old}`)
    await writeFile(target, `${before}\n${replacement}${after}`.slice(1))
  }
}
