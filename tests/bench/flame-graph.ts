import type { Profiler } from 'node:inspector'
import { escapeHtml } from '#http/escape-html.ts'

/** A function in the place where it was called; times are in microseconds, without those in which nothing ran. */
type Frame = { name: string; color: string; total: number; children: Map<string, Frame> }

const width = 1_200
const rowHeight = 17
const maxRows = 34
/** Narrower frames are left out. */
const minWidth = 2.5
const charWidth = 6.2

const colors = { ours: '#8fc7a3', packages: '#f3c985', node: '#b9c4d4', waste: '#e59a92' }

/** Draws a CPU profile as a flame graph (SVG): what calls is below what it calls, and widths are shares of the processor time. */
export function drawFlameGraph(profile: Profiler.Profile, title: string): string {
  const root = buildTree(profile)
  const frames = layOut(root)
  const rows = Math.min(maxRows, Math.max(...frames.map(({ row }) => row)) + 1)
  const height = (rows + 2) * rowHeight
  const shapes = frames
    .filter(({ row }) => row < rows)
    .map(({ frame, x, w, row }) => {
      const y = height - (row + 1) * rowHeight
      const share = ((frame.total / root.total) * 100).toFixed(1)
      const shown = frame.name.slice(0, Math.max(0, Math.floor((w - 6) / charWidth)))
      const text = shown.length < 3 ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escapeHtml(shown)}</text>`
      const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, w - 0.5).toFixed(1)}" height="${rowHeight - 1}" fill="${frame.color}"/>`
      return `<g><title>${escapeHtml(frame.name)}, ${share} %</title>${box}${text}</g>`
    })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10.5">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="3" y="14" font-size="12">${escapeHtml(title)}</text>
${legend()}
${shapes.join('\n')}
</svg>
`
}

function legend(): string {
  const entries = [
    ['Everchart', colors.ours],
    ['packages', colors.packages],
    ['Node', colors.node],
    ['garbage collection', colors.waste],
  ] as const
  return entries
    .map(([name, color], index) => {
      const x = 660 + index * 135
      return `<rect x="${x}" y="5" width="10" height="10" fill="${color}"/><text x="${x + 14}" y="14">${name}</text>`
    })
    .join('')
}

/** Adds the samples up by call stack. Frames of Node itself are left out where they only pass a call on. */
function buildTree({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const root: Frame = { name: 'all', color: colors.node, total: 0, children: new Map() }
  for (const [index, id] of samples.entries()) {
    const leaf = byId.get(id) as Profiler.ProfileNode
    // The profiler itself takes time, too.
    if (leaf.callFrame.functionName === '(idle)' || leaf.callFrame.url === 'node:inspector') continue
    const stack: Profiler.ProfileNode[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const node = byId.get(at) as Profiler.ProfileNode
      if (node === leaf || !isOfNode(node)) stack.unshift(node)
    }
    add(root, stack, timeDeltas[index] ?? 0)
  }
  return root
}

const isOfNode = ({ callFrame: { url } }: Profiler.ProfileNode) => url === '' || url.startsWith('node:')

function add(root: Frame, stack: readonly Profiler.ProfileNode[], time: number): void {
  root.total += time
  let frame = root
  for (const node of stack) {
    const { name, color } = describe(node)
    const child = frame.children.get(name) ?? { name, color, total: 0, children: new Map() }
    frame.children.set(name, child)
    child.total += time
    frame = child
  }
}

function describe({ callFrame: { functionName, url, lineNumber } }: Profiler.ProfileNode) {
  const name = functionName || 'anonymous'
  if (url === '' || url.startsWith('node:'))
    return { name, color: name.includes('garbage') ? colors.waste : colors.node }
  const [, packageFile] = /.*\/node_modules\/(.+)$/.exec(url) ?? []
  const [, ownFile] = /\/((?:backend|contracts|tests)\/.+)$/.exec(url) ?? []
  const place = `${packageFile ?? ownFile ?? url}:${lineNumber + 1}`
  return { name: `${name} ${place}`, color: packageFile ? colors.packages : colors.ours }
}

type Placed = { frame: Frame; x: number; w: number; row: number }

/** Places the frames, the widest first. */
function layOut(root: Frame): Placed[] {
  const placed: Placed[] = []
  const place = (frame: Frame, x: number, row: number) => {
    placed.push({ frame, x, w: (frame.total / root.total) * width, row })
    let at = x
    for (const child of [...frame.children.values()].toSorted((a, b) => b.total - a.total)) {
      const w = (child.total / root.total) * width
      if (w >= minWidth) place(child, at, row + 1)
      at += w
    }
  }
  place(root, 0, 0)
  return placed
}
