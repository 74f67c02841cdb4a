import type { ReactNode } from 'react'

/*
 * Small drawings without words. Each has the plug of deeb: a green disc on black, or an empty ring. Forced colors keep the lines.
 */

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 248 88" fill="none" width={248} height={88} className="max-w-full" aria-hidden="true">
      {children}
    </svg>
  )
}

/** The plug in the ear: the sign of deeb mode. */
function Plug({ cx }: { cx: number }) {
  return (
    <>
      <circle cx={cx} cy={44} r={30} fill="var(--ink)" />
      <circle cx={cx} cy={44} r={13} fill="#4ade80" />
    </>
  )
}

/** The case of the plugs with its code, and the ring that a tap begins. */
export function CasePicture() {
  return (
    <Picture>
      <rect x={22} y={14} width={92} height={60} rx={30} fill="var(--surface)" stroke="var(--edge)" strokeWidth={2} />
      <rect x={54} y={30} width={28} height={28} rx={4} stroke="var(--ink)" strokeWidth={2} />
      <path d="M60 36h7v7h-7zM71 36h5v5h-5zM60 47h5v5h-5zM70 46h6v6h-6z" fill="currentColor" />
      <path d="M124 30a20 20 0 0 1 0 28M134 22a32 32 0 0 1 0 44" stroke="var(--green)" strokeWidth={2.5} />
      <Plug cx={200} />
    </Picture>
  )
}

/** A door sign in deeb mode, and one of a free person. Its colors are those of the sign, in both looks of the app. */
export function SignPicture() {
  return (
    <Picture>
      <rect x={1} y={1} width={114} height={86} rx={10} fill="#000000" stroke="var(--edge)" />
      <circle cx={58} cy={36} r={19} fill="#4ade80" />
      <rect x={31} y={66} width={54} height={7} rx={3.5} fill="#f4f4f1" />
      <rect x={132} y={1} width={114} height={86} rx={10} fill="#f7f6f2" stroke="var(--edge)" />
      <circle cx={189} cy={36} r={18} strokeWidth={2.5} stroke="#101113" />
      <rect x={175} y={66} width={28} height={7} rx={3.5} fill="#101113" />
    </Picture>
  )
}

/** Sessions in the days of a calendar. */
export function CalendarPicture() {
  const sessions = [
    [10, 22, 24],
    [58, 34, 14],
    [58, 56, 20],
    [106, 28, 34],
    [154, 20, 12],
    [154, 50, 26],
    [202, 36, 22],
  ] as const
  return (
    <Picture>
      <rect x={1} y={1} width={246} height={86} rx={10} fill="var(--surface)" stroke="var(--line)" />
      {[49, 98, 147, 196].map((x) => (
        <path key={x} d={`M${x} 1v86`} stroke="var(--line)" />
      ))}
      {sessions.map(([x, y, height]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={36} height={height} rx={4} fill="var(--ink)" />
      ))}
    </Picture>
  )
}

/** A person in a chat, with a status. */
export function ChatPicture() {
  return (
    <Picture>
      <rect x={1} y={1} width={246} height={86} rx={10} fill="var(--surface)" stroke="var(--line)" />
      <circle cx={46} cy={44} r={25} fill="var(--well)" stroke="var(--line)" />
      <circle cx={65} cy={62} r={10} strokeWidth={3} fill="var(--green)" stroke="var(--surface)" />
      <rect x={90} y={27} width={74} height={9} rx={4.5} fill="var(--ink)" />
      <circle cx={95} cy={57} r={5} fill="var(--green)" />
      <rect x={108} y={53} width={104} height={8} rx={4} fill="var(--tick)" />
    </Picture>
  )
}

/** A program beside deeb, which may use it. */
export function AppPicture() {
  return (
    <Picture>
      <Plug cx={32} />
      <path d="M76 44h46" strokeWidth={2.5} strokeDasharray="1 7" strokeLinecap="round" stroke="var(--ink)" />
      <rect x={136} y={9} width={110} height={70} rx={10} fill="var(--surface)" stroke="var(--edge)" />
      <path d="m152 34 10 10-10 10" strokeWidth={3} strokeLinecap="round" strokeLinejoin="round" stroke="var(--ink)" />
      <rect x={174} y={50} width={34} height={5} rx={2.5} fill="var(--green)" />
    </Picture>
  )
}

/** A lamp that deeb switches on. */
export function LampPicture() {
  return (
    <Picture>
      <Plug cx={32} />
      <path
        d="M76 44h62m-9-8 9 8-9 8"
        strokeWidth={2.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        stroke="var(--ink)"
      />
      <path
        d="M189 59c-8-5-11-11-11-18a20 20 0 0 1 40 0c0 7-3 13-11 18zm2 8h14m-11 7h8"
        strokeWidth={2.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        stroke="var(--ink)"
      />
      <path
        d="M198 10V3m-24 15-5-5m53 5 5-5m-61 28h-7m71 0h7"
        strokeWidth={2.5}
        strokeLinecap="round"
        stroke="var(--green)"
      />
    </Picture>
  )
}

/** A password, or a fingerprint. */
export function SignInPicture() {
  return (
    <Picture>
      <rect x={1} y={20} width={132} height={48} rx={10} fill="var(--surface)" stroke="var(--edge)" />
      {[24, 42, 60, 78, 96].map((cx) => (
        <circle key={cx} cx={cx} cy={44} r={4.5} fill="var(--ink)" />
      ))}
      <rect x={164} y={4} width={80} height={80} rx={22} fill="var(--surface)" stroke="var(--edge)" />
      <path
        d="M186 52v-8a18 18 0 0 1 36 0v6m-27 13c1-4 1-9 1-19a8 8 0 0 1 16 0c0 11-1 18-3 24m-5-23v3c0 8-1 15-3 20"
        strokeWidth={2.5}
        strokeLinecap="round"
        stroke="var(--green)"
      />
    </Picture>
  )
}

/** A week with focus time, or one that is to come. */
export function WeekPicture({ isOver }: { isOver: boolean }) {
  return (
    <svg viewBox="0 14 60 60" fill="none" width={60} height={60} className="min-w-0" aria-hidden="true">
      {isOver ? <Plug cx={30} /> : <circle cx={30} cy={44} r={28.5} strokeWidth={3} stroke="var(--line)" />}
    </svg>
  )
}

/** A colleague who is free again, and the waves of a message. */
export function TellPicture() {
  return (
    <Picture>
      <circle cx={32} cy={44} r={30} strokeWidth={3} stroke="var(--line)" />
      <circle cx={32} cy={44} r={13} strokeWidth={2.5} stroke="var(--ink)" />
      {[24, 40, 56].map((r) => (
        <path
          key={r}
          d={`M${74 + r * 0.5} ${44 - r * 0.6}a${r} ${r} 0 0 1 0 ${r * 1.2}`}
          strokeWidth={3}
          strokeLinecap="round"
          stroke="var(--ink)"
        />
      ))}
    </Picture>
  )
}
