// The tools of the desk, in its own process: the rooms of a house, and who has booked them.

export interface Tool {
  name: string;
  description: string;
  parameters: object;
}

export const TOOLS: Tool[] = [
  {
    name: "free_rooms",
    description: "Rooms that are free on a day, with their seats.",
    parameters: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
  },
  {
    name: "book_room",
    description: "Books a room for a day. A room is booked once a day.",
    parameters: {
      type: "object",
      properties: { room: { type: "string" }, day: { type: "string" } },
      required: ["room", "day"],
    },
  },
];

const SEATS: Record<string, number> = { Aula: 40, Loft: 8, Nook: 3 };

export class Rooms {
  private readonly booked = new Set<string>();

  /** What a tool answers, in words for the model; that something is wrong is such an answer too. */
  call(name: string, args: Record<string, unknown>): string {
    const { day, room } = args;
    if (typeof day !== "string") return "which day?";
    if (name === "free_rooms") {
      const free = Object.entries(SEATS).filter(([room]) => !this.booked.has(`${room} ${day}`));
      return free.map(([room, seats]) => `${room}: ${seats} seats`).join(", ") || "none";
    }
    if (name !== "book_room") return `there is no tool ${name}`;
    if (typeof room !== "string" || !(room in SEATS)) return `there is no room ${String(room)}`;
    if (this.booked.has(`${room} ${day}`)) return `${room} is booked already on ${day}`;
    this.booked.add(`${room} ${day}`);
    return `${room} is booked for ${day}`;
  }
}
