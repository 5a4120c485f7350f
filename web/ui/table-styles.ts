import { makeStyles, tokens } from '@fluentui/react-components'

/** Window width at which tables become lists of cards. */
const narrow = '@media (max-width: 639px)'

/** Styles of every table: header of 40 px, rows of 56 px, hairlines between rows. */
export const useTableStyles = makeStyles({
  surface: {
    position: 'relative',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    // `hidden` would keep the header from sticking to the page.
    overflow: 'clip',
    minWidth: 0,
  },
  nested: {
    backgroundColor: 'transparent',
    border: 'none',
    borderRadius: 0,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  // Initials make room for names.
  table: { tableLayout: 'fixed', '@media (max-width: 1279px)': { '& .fui-Avatar': { display: 'none' } } },
  head: { backgroundColor: tokens.colorNeutralBackground2 },
  sticky: {
    position: 'sticky',
    top: '72px',
    zIndex: 1,
    backgroundColor: tokens.colorNeutralBackground2,
    boxShadow: `inset 0 -1px 0 ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 767px)': { top: '60px' },
  },
  headRow: { borderBottomColor: tokens.colorNeutralStroke2 },
  headCell: {
    height: '40px',
    boxSizing: 'border-box',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightMedium,
    ':first-child': { paddingLeft: '20px' },
  },
  row: {
    height: '56px',
    // The table clips overflow, and the sticky headers of page and table cover what scrolls under them.
    scrollMargin: '120px 0 8px',
    '&[data-fui-focus-visible]': { outlineOffset: '-2px' },
    borderBottomColor: tokens.colorNeutralStroke3,
    ':last-child': { borderBottomWidth: 0 },
  },
  hoverRow: { ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover } },
  clickable: { cursor: 'pointer' },
  selected: { backgroundColor: tokens.colorNeutralBackground1Selected },
  cell: { fontVariantNumeric: 'tabular-nums', ':first-child': { paddingLeft: '20px' } },
  actions: { display: 'flex', alignItems: 'center', columnGap: '4px' },
  cards: { listStyleType: 'none', margin: 0, padding: 0 },
  card: {
    position: 'relative',
    padding: '12px 8px 12px 14px',
    // Cards show in full what a table truncates.
    overflowWrap: 'anywhere',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
  },
  cardWithMenu: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', alignItems: 'start', columnGap: '4px' },
  footer: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: '40px',
    boxSizing: 'border-box',
    padding: '6px 12px 6px 20px',
    color: tokens.colorNeutralForeground3,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
    [narrow]: { paddingLeft: '14px' },
  },
  busy: { position: 'absolute', top: 0, left: 0, right: 0, zIndex: 2 },
})
