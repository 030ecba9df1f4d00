/** What a stored map looks like; asked for when its row comes into sight. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../net/request";
import type { LockMap } from "../net/types";
import { T } from "../texts";
import { MapPicture } from "./map-picture";

/** @param address of the map as JSON @param read counts up when the maps may have changed */
export function StoredPicture({ name, address, read }: { name: string; address: string; read: number }) {
	const place = useRef<HTMLDivElement>(null);
	const [map, setMap] = useState<LockMap>();
	useEffect(() => {
		let over = false;
		const watch = new IntersectionObserver(([seen]) => {
			if (!seen?.isIntersecting) return;
			watch.disconnect();
			void get<LockMap>(address).then(
				(found) => !over && setMap(found),
				// the list tells what is wrong
				() => {},
			);
		});
		if (place.current !== null) watch.observe(place.current);
		return () => {
			over = true;
			watch.disconnect();
		};
	}, [address, read]);
	return (
		<div ref={place} class="stored-picture">
			{map !== undefined && <MapPicture map={map} label={T.map.pictureOf(name)} />}
		</div>
	);
}
