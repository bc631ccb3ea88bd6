// Chats on this machine. Where the browser keeps nothing, they last as long as the tab.

import { Store } from "../database";
import type { Chat } from "./tree";

const chats = new Store<Chat>("straw", "chats");

/** All chats, the one used last first. */
export async function all(): Promise<Chat[]> {
  return (await chats.all()).sort((a, b) => b.updated - a.updated);
}

export const put = (chat: Chat): Promise<void> => chats.put(chat);

export const remove = (id: string): Promise<void> => chats.remove(id);
