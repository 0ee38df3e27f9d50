/// The members of each shape, and the tree of its payload.
struct ShapeStages {
  let dialect: any SQLDialect
  let old: StreamForm
  let new: StreamForm

  /// The deepest payload that is valid.
  private static let maximumDepth = 64

  var stages: [Stage] { [members, heads, nodes, above, paths, faults] }

  private var members: Stage {
    Stage(
      "ds_members", "a relevant member of a line",
      """
      SELECT key.side, key.shape, ds_raw_key(key.token) AS name, member.class, member.place, member.value,
        coalesce(closing.place, member.place) AS last_place, coalesce(closing.value, member.value) AS last_value
      FROM ds_items AS key
      JOIN (
        SELECT side, shape, class, place, value, lag(place) OVER (PARTITION BY side, shape ORDER BY place) AS key_place
        FROM ds_items
      ) AS member ON member.side = key.side AND member.shape = key.shape AND member.key_place = key.place
      LEFT JOIN ds_items AS closing
        ON closing.side = member.side AND closing.shape = member.shape AND closing.box = member.place
        AND closing.class IN ('}', ']')
      WHERE key.level = 1 AND key.class = 'k' AND CASE key.side
        WHEN 'old' THEN ds_raw_key(key.token) IN (\(old.members))
        ELSE ds_raw_key(key.token) IN (\(new.members)) END
      """)
  }

  private var heads: Stage {
    Stage(
      "ds_heads", "a shape: whether it is a valid event, and the places of id, name, decision, time and payload",
      """
      SELECT lines.side, lines.shape, lines.is_event AND coalesce(found.names = 1 AND found.is_single, false) AS is_event,
        coalesce(found.id_value, 0) AS id_value, coalesce(found.name_value, 0) AS name_value,
        coalesce(found.decision_value, 0) AS decision_value, coalesce(found.time_value, 0) AS time_value,
        found.payload_class, found.payload, found.payload_end, found.first_value, found.last_value,
        coalesce(payload.is_strict, true)
          AND (found.payload_class IS NULL OR found.payload_class = '{') AS is_payload
      FROM (
        SELECT side, shape,
          bool_and(level > 1 OR is_legal) AND min(CASE WHEN place = first_place THEN class END) = '{'
            AND min(CASE WHEN place = last_place THEN depth END) = 0 AS is_event
        FROM (
          SELECT *, min(place) OVER (PARTITION BY side, shape) AS first_place,
            max(place) OVER (PARTITION BY side, shape) AS last_place
          FROM ds_items) AS ends
        GROUP BY side, shape
      ) AS lines
      LEFT JOIN (
        SELECT side, shape, count(*) = count(DISTINCT name) AS is_single,
          count(CASE WHEN name IN ('name', 'eventName') THEN 1 END) AS names,
          max(CASE WHEN name = 'eventId' AND class = 'v' THEN value END) AS id_value,
          max(CASE WHEN name IN ('name', 'eventName') AND class = 'v' THEN value END) AS name_value,
          max(CASE WHEN name = 'decision' AND class = 'v' THEN value END) AS decision_value,
          max(CASE WHEN name IN ('time', 'eventTime') AND class = 'v' THEN value END) AS time_value,
          max(CASE WHEN name IN ('parameters', 'payload') THEN class END) AS payload_class,
          max(CASE WHEN name IN ('parameters', 'payload') THEN place END) AS payload,
          max(CASE WHEN name IN ('parameters', 'payload') THEN last_place END) AS payload_end,
          max(CASE WHEN name IN ('parameters', 'payload') THEN value END) AS first_value,
          max(CASE WHEN name IN ('parameters', 'payload') THEN last_value END) AS last_value
        FROM ds_members GROUP BY side, shape
      ) AS found ON found.side = lines.side AND found.shape = lines.shape
      LEFT JOIN (
        SELECT item.side, item.shape, bool_and(item.is_legal) AND max(item.level) <= \(Self.maximumDepth) + 1
          AND bool_and(item.class <> 'k' OR ds_is_string(ds_quoted(item.token))) AS is_strict
        FROM ds_items AS item
        JOIN ds_members AS payload ON payload.side = item.side AND payload.shape = item.shape
          AND payload.name IN ('parameters', 'payload')
          AND item.place > payload.place AND item.place <= payload.last_place
        GROUP BY item.side, item.shape
      ) AS payload ON payload.side = lines.side AND payload.shape = lines.shape
      """)
  }

  private var nodes: Stage {
    Stage(
      "ds_nodes", "a value in a payload: its first and last token, and its step from its container",
      """
      SELECT item.side, item.shape, item.place, item.class, item.value, item.box,
        coalesce(closing.place, item.place) AS last_place,
        CASE item.box_class
          WHEN '{' THEN '/' || ds_escaped(ds_text(ds_quoted(item.previous_token)))
          ELSE '[' || CAST(row_number() OVER (PARTITION BY item.side, item.shape, item.box ORDER BY item.place) - 1 AS STRING)
          END AS step
      FROM ds_items AS item
      JOIN ds_heads AS head ON head.side = item.side AND head.shape = item.shape
      LEFT JOIN ds_items AS closing
        ON closing.side = item.side AND closing.shape = item.shape AND closing.box = item.place
        AND closing.class IN ('}', ']')
      WHERE head.is_event AND head.is_payload AND item.class IN ('v', '{', '[')
        AND item.place > head.payload AND item.place < head.payload_end
      """)
  }

  private var above: Stage {
    Stage(
      "ds_above", "a value with itself or one of its containers",
      """
      SELECT node.side, node.shape, node.place, above.place AS above, above.step
      FROM ds_nodes AS node
      JOIN ds_nodes AS above ON above.side = node.side AND above.shape = node.shape
        AND above.place <= node.place AND node.place <= above.last_place
      """)
  }

  private var paths: Stage {
    Stage(
      "ds_paths", "a value in a payload: its path, and whether it is a leaf",
      """
      SELECT node.side, node.shape, node.place, node.last_place, node.class, node.value, node.box, path.path,
        ds_pattern(path.path) AS pattern, inner_nodes.box IS NULL AS is_leaf
      FROM ds_nodes AS node
      JOIN (
        SELECT side, shape, place, \(dialect.joined("step", by: "above", separator: "")) AS path
        FROM ds_above GROUP BY side, shape, place
      ) AS path ON path.side = node.side AND path.shape = node.shape AND path.place = node.place
      LEFT JOIN (SELECT DISTINCT side, shape, box FROM ds_nodes) AS inner_nodes
        ON inner_nodes.side = node.side AND inner_nodes.shape = node.shape AND inner_nodes.box = node.place
      """)
  }

  private var faults: Stage {
    Stage(
      "ds_faulty_shapes", "a shape whose payload is invalid, because it has a key twice",
      """
      SELECT DISTINCT side, shape FROM (
        SELECT side, shape FROM ds_nodes WHERE ds_starts(step, '/')
        GROUP BY side, shape, box, ds_fold(step) HAVING count(*) > 1
      ) AS repeated
      """)
  }
}
